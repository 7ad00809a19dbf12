// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operators do, and numbers of which width they do it to.
#pragma once

#include <string_view>

#include "analysis/constant.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

// Of a Binary or Unary; "" for others.
std::string_view operatorOf(NodePtr node);

// Of a Cast, NamedCast or FunctionalCast; null if the latter has not one argument.
NodePtr castOperand(NodePtr cast);

using ast::NumberType;

// ! of something.
bool isNegation(NodePtr node);

// == and !=, < to >=.
bool isComparison(NodePtr node);

// The comparison of integers that is true where this one is false: "<" for ">="; "" for others.
std::string_view opposite(std::string_view comparison);

// The comparison with its sides exchanged: "<" for ">"; other operators stay as they are.
std::string_view mirrored(std::string_view op);

// Of what is known as an integer.
NumberType numberOf(const ast::Type* type);
NumberType numberOf(NodePtr node);

// True if the first type has all values of the second.
bool holdsAllOf(NumberType to, NumberType from);

// It wraps round at 0: narrower ones are calculated with as `int`.
bool isUnsigned(NumberType type);

}  // namespace hpcc::analysis
