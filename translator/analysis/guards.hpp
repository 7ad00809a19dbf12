// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under what a statement or expression inside a nest stands.
#pragma once

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

// Of the last node of a path that leads down from a nest.
Guards guardsOn(const std::vector<NodePtr>& path);

}  // namespace hpcc::analysis
