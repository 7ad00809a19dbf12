// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unordered_map>

#include "nests/context.hpp"

namespace hpcc::nests {

/// A comparison, or what negates or joins conditions.
bool isQuestion(ast::NodePtr expression);

/// && and || of anything, & and | of truth values.
bool joinsConditions(ast::NodePtr expression);

/// Nodes of conditions, and what they are.
using Known = std::unordered_map<ast::NodePtr, bool>;

/// A statement in which these conditions are known; null if nothing of it is left.
ast::NodePtr specialised(Context& context, ast::NodePtr statement, const Known& known);

}  // namespace hpcc::nests
