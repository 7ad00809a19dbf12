// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What types and names tell about a call and its function.
#pragma once

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

/// A member of another instance of a class, perhaps.
bool isOfAnother(ast::NodePtr callee);

/// `Vector &operator+=(Vector &a, const Vector &b)`
bool isChangedByOperator(ast::NodePtr parameters, ast::NodePtr operation);

/// An instance of a class template that is made for numbers.
bool isOfNumbers(const ast::Type* type);
bool isOfNumbers(ast::NodePtr object);

/// So is the object of which a member, or which itself, is called.
bool isOfObjectOfNumbers(ast::NodePtr callee);

/// Null if the function has none, or it has no name.
const ast::Symbol* parameterOf(ast::NodePtr definition, size_t number);

/// `const double *`, by which it cannot change them.
bool pointsToNumbers(const ast::Type* type);

/// A table of constants, which no other name changes.
bool namesConstants(ast::NodePtr name);

/// A parameter of a template round the place.
bool isTemplateRound(const ast::Symbol& parameter, ast::NodePtr place);

/// `std::max<double>`
bool namesTemplate(ast::NodePtr callee);

}  // namespace hpcc::analysis
