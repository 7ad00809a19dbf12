// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ast/node.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

/// The numbers that an object of a class without constructors consists of; none of other classes,
/// and of a type that is a reference.
std::vector<const ast::Symbol*> plainFieldsOf(const ast::Type* type);

/// What a member is that no value is given for; null: 0.
ast::NodePtr initialValueOf(const ast::Symbol& field);

struct PlainField {
    std::string name;
    const ast::Type* type;
    const ast::Symbol* symbol = nullptr;  // null of a std::pair
};

/// The numbers of such an object, or of a std::pair, perhaps by reference; none of others.
std::vector<PlainField> numbersOf(const ast::Type& type);

/// The values in `{a, b}`, `Pair{a, b}` and `std::make_pair(a, b)` for such an object; nothing of
/// other expressions.
std::optional<std::vector<ast::NodePtr>> valuesFor(ast::NodePtr object, const ast::Type& type);

}  // namespace hpcc::analysis
