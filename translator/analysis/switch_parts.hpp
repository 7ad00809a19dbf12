// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a switch of which control comes to one at most.
#pragma once

#include <optional>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

//     case 0: case 2: S break;       values 0 and 2, S
//     default: return e;             default, return e;
struct SwitchPart {
    std::vector<NodePtr> values;
    bool isDefault = false;
    std::vector<NodePtr> statements;  // without the last break
};

// Nothing if control goes on from one to the next, or leaves one in the middle.
std::optional<std::vector<SwitchPart>> partsOf(NodePtr switchStatement);

// True of numbers and of values of enumerations.
bool isSwitchable(const ast::Type* type);

}  // namespace hpcc::analysis
