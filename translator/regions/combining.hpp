// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements by which the iterations of a loop make one number together.
#pragma once

#include <optional>
#include <string_view>

#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::regions {

// A class of numbers and functions, without constructors: its objects are made and copied as such.
bool isRecord(const ast::Type* type);

// How often `changing` names the variable if it combines it, or an element of it, with something
// else by the operation: s += e and ++s[k] do so once, s = s + e and s = std::max(s, e) twice. 0 if
// it does anything else.
int combinedMentions(ast::NodePtr changing, const ast::Symbol* variable, std::string_view sign);

// e of `v = f(v, e)`; null for anything else.
ast::NodePtr takenBy(ast::NodePtr changing, const ast::Symbol* variable, std::string_view function);

// All that changes the variable, or members of it, in the statement replaces them by something
// else: `best = Best{a[i], i};`, `best.value = a[i];`, but not `best.count += 1;`.
bool isOnlyReplaced(ast::NodePtr statement, const ast::Symbol* variable);

// m and max of `if (e > m) m = e;`
struct KeptExtreme {
    const ast::Symbol* symbol;
    std::string_view sign;
};
std::optional<KeptExtreme> keptExtreme(ast::NodePtr ifStatement);

}  // namespace hpcc::regions
