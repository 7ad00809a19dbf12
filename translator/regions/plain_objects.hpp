// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that an iteration may have of its own, and functions of their classes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// A number or an enumeration.
bool isPlain(const ast::Type* type);

// A C array or std::array of numbers.
bool isOwnArray(const ast::Type* type);

// One of these, or an object of a class without constructors, but no reference.
bool isOwnValue(const ast::Type* type);

// Why each iteration has no variables of its own from a declaration; "" if it has.
std::string whyNotOwn(NodePtr declaration);

// f of s.f(x), operator() of s(x), f of f(x) in another function of its class.
struct CalledMember {
    NodePtr object = nullptr;  // null: that of the function which calls
    const Symbol* classSymbol = nullptr;
    NodePtr definition = nullptr;
};
// Of an object of a class of numbers, by a name or a subscript; `own` is the class in whose
// function the call stands, or null.
std::optional<CalledMember> memberCalled(NodePtr call, const Symbol* own);

// Objects of the class have a number of that name each.
bool isNumberOf(const Symbol* classSymbol, std::string_view name);

}  // namespace hpcc::regions
