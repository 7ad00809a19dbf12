// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

/// True if no code of the user's runs when a variable of this type is declared, copied and
/// assigned. So it is with numbers, std::complex, and classes, C arrays and std::array of nothing
/// else.
bool isPlainValue(const ast::Type* type);

/// The same in a class template whose parameters stand for numbers.
bool isPlainForNumbers(const ast::Type* type);

/// True if a copy does what the object itself would do: its class has no virtual functions, and no
/// code of the user's copies it or what it holds.
bool isCopiedAsItIs(const ast::Type* type);

/// True for a std::vector, std::array or std::span of numbers, but for bool.
bool isContainerOfNumbers(const ast::Type* type);

/// The same, of plain values, in a class template whose parameters stand for numbers.
bool isContainerForNumbers(const ast::Type* type);

/// The type of the elements of a C array, std::vector, std::array or std::span of plain values, but
/// for std::vector<bool>; null of others.
const ast::Type* plainElementOf(const ast::Type* container);

/// True if a declaration with these specifiers makes `name` a number or another plain value.
bool declaresPlainValue(ast::NodePtr specifiers, ast::NodePtr name);

/// `v` of the declarators `v` and `v[2]`; null of others.
ast::NodePtr variableOf(ast::NodePtr declarator);

/// True if an operator works on objects. The assignment of a plain value does not.
bool operatesOnObjects(ast::NodePtr operation);

/// The access `w[i, j]` of which the expression is a part: `w[i, j].v.x`, `w[i, j].f[k]`, where f
/// is a C array; null if it is none.
ast::NodePtr elementOf(ast::NodePtr part);

/// The element `t[k]` of a table, a container or behind a pointer, of which the member `t[k].w` is
/// a part; null if it is none.
ast::NodePtr elementAround(ast::NodePtr member);

/// The variable `t` of an element `t[k]`, `t.f[k]` or `t[k][m]` that lies in it, because it is a
/// plain value; null if there is none.
ast::NodePtr tableOf(ast::NodePtr element);

}  // namespace hpcc::analysis
