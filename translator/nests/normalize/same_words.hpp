// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/arena.hpp"

namespace hpcc::nests {

/// Of a tree made from the words of another one: the words of the translator may mean something
/// else than the program's.
bool areAlike(ast::NodePtr made, ast::NodePtr as);

/// A copy of such a tree, made from `origin`, with the types and symbols of the other one.
ast::NodePtr copyAt(ast::Arena& arena, ast::NodePtr origin, ast::NodePtr made, ast::NodePtr as);

/// True of two numbers of one type, const and references apart: a value of the one is no number of
/// its own.
bool isSameNumber(const ast::Type* a, const ast::Type* b);

}  // namespace hpcc::nests
