// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "ast/node.hpp"
#include "ast/symbol.hpp"

namespace hpcc::nests {

/// std::complex<double> or <float>, no template's parameter.
bool isComplex(ast::NodePtr expression);

/// False of operands, complex or real, that C++ computes with in no operator: `2 * z`.
bool areOfOneType(ast::NodePtr a, ast::NodePtr b);

/// What a complex number is made of: `{a, b}` and `std::complex<double>(a, b)`; null of others.
ast::NodePtr listOfParts(ast::NodePtr expression);

/// `v` of `= v`; any other initializer is itself.
ast::NodePtr valueGiven(ast::NodePtr initializer);

/// A number, perhaps made of parts of complex ones.
bool isRealNumber(ast::NodePtr expression);

/// One that may be computed again, or earlier in its statement.
bool isQuietReal(ast::NodePtr expression);

/// That of a Binary, Unary or Assign.
std::string_view operatorIn(ast::NodePtr expression);

/// A function of the runtime that computes a number from numbers of its type.
ast::Symbol numberFunction();

}  // namespace hpcc::nests
