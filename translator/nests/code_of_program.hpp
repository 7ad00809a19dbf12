// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// What an operation or harmless call in a nest does besides computing from its operands, if that
/// cannot be told, or a type that an expression names: an operator or conversion of a class may run
/// any code, and a function may read a number of those `assigned` that the nest keeps to itself. No
/// place if there is no such thing.
Obstacle codeOfProgram(ast::NodePtr overall, const Assignments& assigned);

}  // namespace hpcc::nests
