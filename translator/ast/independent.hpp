// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

namespace hpcc::ast {

/// True for `[[hpspmd::independent]] overall ..`: the program promises that no iteration of the
/// nest reads or writes an element that another one writes.
bool isAssertedIndependent(NodePtr statement);

}  // namespace hpcc::ast
