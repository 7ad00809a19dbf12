// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that a statement makes, and what else it evaluates.
#pragma once

#include <functional>
#include <vector>

#include "regions/called_code.hpp"

namespace hpcc::regions {

using ast::NodePtr;

struct Found {
    NodePtr call = nullptr;
    NodePtr parent = nullptr;  // what gets its value
    bool isLater = false;      // whether, or when, it is evaluated is decided in the expression
};

// What stands in the places of which calls (called_code.hpp).
using CodeOf = std::function<std::variant<NotCalled, CalledCode, std::string>(NodePtr call)>;

// The calls of called code that an expression makes, those in arguments of others not.
void addCalls(NodePtr node, NodePtr parent, bool isLater, const CodeOf& codeOf,
              std::vector<Found>& found);

// The expressions that a statement evaluates before anything else.
std::vector<NodePtr> evaluatedFirst(NodePtr statement);

// True if statements may do in front of the expressions what the call does in them.
bool mayComeFirst(NodePtr call, const std::vector<NodePtr>& expressions,
                  const std::vector<Found>& calls, const CodeOf& codeOf);

bool declaresReference(NodePtr statement);

}  // namespace hpcc::regions
