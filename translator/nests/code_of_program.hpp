// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/harmless_calls.hpp"
#include "ast/confined.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// What an operation or harmless call in a nest does besides computing from its operands, if that
/// cannot be told, or a type that an expression names: an operator or conversion of a class may run
/// any code, and a function may read a number of those `assigned` that the nest keeps to itself. No
/// place if there is no such thing.
Obstacle codeOfProgram(ast::NodePtr overall, const Assignments& assigned,
                       const Names& declared = {});

/// What a harmless call reads besides its arguments and, of an element and of a variable that the
/// nest declares, the object that it is a call of.
std::vector<analysis::ReadVariable> readByCall(ast::NodePtr call, const Names& declared);

/// What it mentions, and what functions that it calls read.
Names readIn(ast::NodePtr node);
/// True if such a function reads what perhaps is a number with another name: `double &by = step;`
bool readsByReference(ast::NodePtr node);

/// True of `w[k]` where w is an object of a class whose operator is not known to compute and
/// nothing else.
bool runsUnknownCode(ast::NodePtr subscript);

/// A class of plain values that an iteration declares for itself; null if it is none.
const ast::Symbol* plainClassDeclaredBy(ast::NodePtr declaration);

/// What a declaration declares other than variables with plain values of the iteration's own; no
/// place if there is no such thing.
Obstacle otherThanPlain(ast::NodePtr declaration);

Obstacle notUnderstood(ast::NodePtr expression);

/// True of a call of code out of sight that gives a value.
bool mayBeForeign(ast::NodePtr call);

/// A call that is not known to compute a value and nothing else.
Obstacle unknownCall(ast::NodePtr call);

/// What a call out of sight may change, though the fast form evaluates it at its entry. Notes which
/// other names it may.
Obstacle reachedBy(ast::NodePtr callee, Nest& nest, const ast::Confined& confined);

/// Elements that a call out of sight gets count as written, if it perhaps changes them.
void noteForeignWrites(ast::NodePtr overall, Nest& nest);

/// What a handler calls the exception; null if it has no name.
ast::NodePtr caughtBy(ast::NodePtr handler);

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
/// .. about an access `v[k][i, j]` to an array that is chosen by an expression.
std::string cureOfChosenArray(ast::NodePtr array, const Nest& nest);

/// What a statement does that has no fast form, and what the user can do about it. A loop over the
/// elements of a container is one if it has not become a loop that counts.
std::string otherStatement(ast::NodePtr statement);
std::string cureOfOtherStatement(ast::NodePtr statement);

/// What is in the way of such accesses.
std::string reachedInGeneral(ast::NodePtr access);

}  // namespace hpcc::nests
