// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of the program's classes whose begin() and end() go over an array or a container of their
// own.
#pragma once

#include <optional>

#include "ast/node.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

/// The member whose elements, in their order, all functions begin() and end() of an object go over,
/// and do nothing else; null if that is not known. It need not be up to the last element.
///
///     struct Bag {
///         auto begin() const { return values.begin(); }     values
///         auto end() const { return values.end(); }
///         std::vector<double> values;
///     };
const ast::Symbol* heldBy(const ast::Type* object);

/// The type of these elements; null if it is not known.
const ast::Type* elementHeldBy(const ast::Type* object);

/// How many elements an object goes over that holds `array`; nothing if that is not known.
std::optional<long long> lengthHeldBy(const ast::Type* object, ast::NodePtr array);

}  // namespace hpcc::analysis
