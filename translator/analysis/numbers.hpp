// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

using ast::isNumber;

/// Is an expression known to be an integer?
bool isInteger(ast::NodePtr expression);

/// Does a declaration with these specifiers make `name` a variable whose values are copied without
/// a call of the user's code?
bool declaresNumber(ast::NodePtr specifiers, ast::NodePtr name);

/// A cast to a type that is known as a number.
bool givesNumber(ast::NodePtr cast);

/// Is a statement nothing but the declaration of numbers, with values that neither ask nor call
/// anything?
bool declaresPlainNumbers(ast::NodePtr statement);

}  // namespace hpcc::analysis
