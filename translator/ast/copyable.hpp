// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

namespace hpcc::ast {

/// True if a loop's body may be written several times, one iteration after the other. False if it
/// holds jumps to or out of it, a switch, a lambda, a class, a static variable or C++ that is not
/// looked into, or if it has more than so many nodes.
bool isCopyable(NodePtr body, int mostNodes);

}  // namespace hpcc::ast
