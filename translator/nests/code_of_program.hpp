// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// What an operation or harmless call in a nest does besides computing from its operands, if that
/// cannot be told, or a type that an expression names: an operator or conversion of a class may run
/// any code, and a function may read a number of those `assigned` that the nest keeps to itself. No
/// place if there is no such thing.
Obstacle codeOfProgram(ast::NodePtr overall, const Assignments& assigned);

/// What the user can do about a call that is not known to compute a value and nothing else; "" if
/// that is not known either.
std::string cureOfCall(ast::NodePtr callee);
/// .. about a variable that is no plain value.
std::string cureOfVariable(ast::NodePtr declarator);
/// .. about a member that is not known to be a number or plain struct.
std::string cureOfMember();

/// What the user can do about an access `g.in()[i, j]` or `b[i, j]` to an array whose type is not
/// known.
std::string cureOfUnknownArray(ast::NodePtr access);

}  // namespace hpcc::nests
