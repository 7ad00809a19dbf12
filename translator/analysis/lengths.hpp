// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elements there are, where that is known before the program runs.
#pragma once

#include <optional>

#include "ast/node.hpp"

namespace hpcc::analysis {

// Of `double w[3]`, `std::array<double, 3> w`, `const std::vector<double> w = {1, 2, 1}`, and of
// `m[0]` where `int m[2][3]`.
std::optional<long long> lengthOf(ast::NodePtr container);

// What `w.size()`, `std::size(w)` and `std::ssize(w)` answer of such a container.
std::optional<long long> askedLength(ast::NodePtr call);

// `std::tuple_size_v<decltype(w)>`, `std::extent_v<decltype(w)>`, `std::tuple_size<..>::value`.
std::optional<long long> typeLength(ast::NodePtr name);

// What `sizeof` answers of an expression or a type: numbers, and containers of them that have no
// elements elsewhere.
std::optional<long long> sizeInBytes(ast::NodePtr operand);

}  // namespace hpcc::analysis
