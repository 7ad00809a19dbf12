// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements by which the iterations of a loop make one number together.
#pragma once

#include <optional>
#include <string_view>

#include "ast/symbol.hpp"

namespace hpcc::regions {

// How often `changing` names the variable if it combines it with something else by the operation:
// s += e and ++s do so once, s = s + e and s = std::max(s, e) twice. 0 if it does anything else.
int combinedMentions(ast::NodePtr changing, const ast::Symbol* variable, std::string_view sign);

// m and max of `if (e > m) m = e;`
struct KeptExtreme {
    const ast::Symbol* symbol;
    std::string_view sign;
};
std::optional<KeptExtreme> keptExtreme(ast::NodePtr ifStatement);

}  // namespace hpcc::regions
