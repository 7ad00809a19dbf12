// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

namespace hpcc::ast {

/// May a loop's body be written several times, one iteration after the other? Not with jumps to or
/// out of it, a switch, a lambda, a class, a static variable or C++ that is not looked into, nor
/// with more than so many nodes.
bool isCopyable(NodePtr body, int mostNodes);

}  // namespace hpcc::ast
