// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>

#include "ast/node.hpp"
#include "ast/symbol.hpp"

namespace hpcc::nests {

/// Vectors, and how many elements each is declared with; null if that is not known.
using Lengths = std::map<const ast::Symbol*, ast::NodePtr>;

/// Those vectors of which an iteration of an `overall` reads no element that it has not surely
/// written before, and with which it does nothing but that, ask how long they are, and exchange two
/// of one length. What is written is known as stretches of elements:
///
///     y[0] = a[i, 0];                                     0 .. 0
///     for (Index k = 1; k < m; ++k) {                     0 .. k - 1
///         for (Index l = 0; l < k; ++l) z[l] = y[l];      reads l < k
///         y[k] = a[i, k] * z[0];                          0 .. k
///     }
std::set<const ast::Symbol*> surelyWrittenFirst(ast::NodePtr overall, const Lengths& vectors);

/// True if each iteration of an `overall`, which has a row of the array for itself, writes as many
/// elements of it from 0 on, and reads no element before.
bool writesRowFirst(ast::NodePtr overall, const ast::Symbol* array, ast::NodePtr length);

}  // namespace hpcc::nests
