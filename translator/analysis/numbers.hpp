// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

using ast::isNumber;

/// True if an expression is known to be an integer.
bool isInteger(ast::NodePtr expression);

/// True if an expression is a floating-point number; `unknown` where its type is not known.
bool isFraction(ast::NodePtr expression, bool unknown = false);

/// True if a declaration with these specifiers makes `name` a variable whose values are copied
/// without a call of the user's code.
bool declaresNumber(ast::NodePtr specifiers, ast::NodePtr name);

/// A cast to a type that is known as a number.
bool givesNumber(ast::NodePtr cast);

/// `T(2)` or `T()`, where T is a parameter of a template: a number if that stands for one.
bool convertsToParameter(ast::NodePtr call);

/// True if a statement is nothing but the declaration of numbers, with values that neither ask nor
/// call anything.
bool declaresPlainNumbers(ast::NodePtr statement);

}  // namespace hpcc::analysis
