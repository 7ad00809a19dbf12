// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a "[[" means.
#pragma once

#include "syntax/token.hpp"

#include <string_view>
#include <unordered_set>

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
    const std::unordered_set<std::string_view>& typeParameters;  // what `class S` has declared
};
DoubleBracket classify(const DoubleBracketContext& context);

// True for the words of attributes of `hpspmd::`.
bool isOwnAttribute(std::string_view word);

// True if the "[[" stands behind `new T`.
bool followsNew(const DoubleBracketContext& context);

}  // namespace hpcc::syntax
