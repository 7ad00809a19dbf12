// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

#include "ast/node.hpp"
#include "ast/type.hpp"

namespace hpcc::ast {

/// A subscript `i`, `i + e` or `i - e` with a distributed index i.
struct IndexSubscript {
    NodePtr index = nullptr;     // the Identifier i
    NodePtr distance = nullptr;  // e; null for i alone
    bool negative = false;       // i - e
};

std::optional<IndexSubscript> asIndexSubscript(NodePtr subscript);

/// The value of an integer literal, with sign and parentheses, also where a schema wrote it as a
/// name; nothing for those so large that sums of a few might overflow.
std::optional<long> asConstant(NodePtr expression);

/// The multiarray type of an expression, null if it is none or unknown.
const Type* multiarrayType(NodePtr expression);

/// An array as the program names it, also where a pass has given it another name.
std::string nameForUser(NodePtr array);

/// True for `:`, which has neither bounds nor a step.
bool isWholeTriplet(NodePtr triplet);

/// True for every expression that is a distributed index or a shifted one.
bool isIndexValue(NodePtr expression);

/// True if the expression's type is not known, or depends on a template parameter.
bool hasUnknownType(NodePtr expression);

/// An access that the offset formula can be written for: the base is simple and of known multiarray
/// type, and each subscript fits its slot.
bool isDirectAccess(NodePtr subscript);

}  // namespace hpcc::ast
