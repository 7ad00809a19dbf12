// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a function returns.
#pragma once

#include <span>

#include "ast/node.hpp"

namespace hpcc::regions {

using ast::NodePtr;

// In its own statements, not in those of lambdas.
bool holdsReturn(NodePtr statement);

bool returnsAlways(NodePtr statement);

// `return e;` or `if (c) return e; ..` and nothing else.
bool isChoice(std::span<const NodePtr> statements);

// As `if` and `else` with an assignment in place of each `return` no statement stands twice.
bool areBranches(std::span<const NodePtr> statements);

}  // namespace hpcc::regions
