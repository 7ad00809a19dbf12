// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under what a statement or expression inside a nest stands.
#pragma once

#include <unordered_map>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

// A condition that holds, or does not hold, where a path leads; or has the value of a case.
struct Guard {
    NodePtr owner;  // the statement or expression that asks for it
    NodePtr condition;
    bool holds;
    NodePtr value = nullptr;
};

struct Guards {
    std::vector<Guard> all;
    bool isConditional = false;  // may be left out for other reasons, or run several times
};

// Of each block, the conditions that statements of it leave behind them: looked for once, since a
// block may hold thousands of statements.
class Skips {
public:
    // In the order of their owners, which are statements of the block.
    const std::vector<Guard>& of(NodePtr block);

private:
    std::unordered_map<NodePtr, std::vector<Guard>> known_;
};

// Of the last node of a path that leads down from a nest.
Guards guardsOn(const std::vector<NodePtr>& path, Skips& skips);

}  // namespace hpcc::analysis
