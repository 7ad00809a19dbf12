// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a statement may do to names, and whether control may leave it sideways.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::ast {

// Judged by names alone, so that it is on the safe side: a name counts as assigned if a variable
// of that name anywhere may be.
struct Effects {
    std::unordered_set<std::string_view> declared;  // anywhere inside, indices and parameters too
    std::unordered_set<std::string_view> assigned;  // =, ++, &x, >>, or argument of a call that
                                                    // is not known to take it by value
    bool mayJump = false;                           // return, break, continue, goto, throw inside
    std::vector<NodePtr> calls;                     // of what may be the user's: not std::, Adlib::

    bool touches(const std::unordered_set<std::string_view>& names) const;
};

Effects effectsOf(NodePtr node);

// What an assignment, ++ or -- changes; null for other nodes.
NodePtr changedOperand(NodePtr node);

// What `node` itself, not its parts, assigns: of x = y++ the x.
void addAssigned(NodePtr node, std::unordered_set<std::string_view>& names);

// A name alone that is none of this file's variables or functions: a macro, perhaps, which as a
// statement may do anything.
bool isUnknownName(NodePtr expression);

// Every identifier in an expression, members too; not the name of an inquiry, as `size` in
// `a.size(1)`.
std::unordered_set<std::string_view> namesIn(NodePtr node);

}  // namespace hpcc::ast
