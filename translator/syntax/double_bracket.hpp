// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a "[[" means.
#pragma once

#include "syntax/token.hpp"

namespace hpcc::syntax {

enum class DoubleBracket { Slots, Dimensions, Attribute, HpspmdAttribute };

// `group` is the first token inside, `before` the live token in front of the "[[" (-1 if none).
// `input` are the raw tokens, `output` those already passed.
struct DoubleBracketContext {
    const TokenStream& stream;
    const std::vector<Token>& input;
    int group;
    const std::vector<Token>& output;
    int before;
};
DoubleBracket classify(const DoubleBracketContext& context);

// True if the "[[" stands behind `new T`.
bool followsNew(const DoubleBracketContext& context);

}  // namespace hpcc::syntax
