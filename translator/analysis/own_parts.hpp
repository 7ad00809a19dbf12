// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the object that a function of a class belongs to.
#pragma once

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

/// `*this`
bool isObjectItself(ast::NodePtr expression);

/// `a.x`, or `a[k]` of an array that lies in what has it.
bool isPartOfObject(ast::NodePtr expression);

/// Of the body of a function: all that it returns are members of its object, or parts of these.
bool returnsOwnPart(ast::NodePtr body);

/// isPlainValue of an object, perhaps by reference.
bool isPlainObject(const ast::Type* type);

/// The same of an operand that is an object; true of others.
bool isPlainOperand(ast::NodePtr operand);

}  // namespace hpcc::analysis
