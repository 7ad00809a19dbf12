// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a function returns.
#pragma once

#include <span>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::regions {

using ast::NodePtr;

// In its own statements, not in those of lambdas.
bool holdsReturn(NodePtr statement);

bool returnsAlways(NodePtr statement);

// What a `switch` returns: `case 2: case 3: return e;`, `default: return f;`.
struct ReturnedCase {
    std::vector<NodePtr> values;  // none: of the default, which is the last one
    NodePtr result = nullptr;
};
// Nothing of one that does anything else, or asks for a number that is no name.
std::vector<ReturnedCase> returnedCases(NodePtr statement);

// `return e;`, `if (c) return e; ..` or a `switch` of such and nothing else.
bool isChoice(std::span<const NodePtr> statements);

// As `if` and `else` with an assignment in place of each `return` no statement stands twice.
bool areBranches(std::span<const NodePtr> statements);

// A loop that returns from inside, and behind it such branches without declarations: what leaves
// the loop may jump over them.
bool leavesLoop(std::span<const NodePtr> statements);

}  // namespace hpcc::regions
