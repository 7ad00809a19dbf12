// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>

#include "nests/analyse.hpp"

namespace hpcc::nests {

/// Vectors of numbers that each iteration of an outermost `overall` may have for itself: variables
/// of the function, of which all its nests read no element that the iteration has not written
/// before, and which nothing else reads:
///
///     std::vector<double> up(m);
///     overall (i = x for :) {
///         for (Index k = 0; k < m; ++k) up[k] = a[i, k] / b[i, k];
///         for (Index k = m - 1; k > 0; --k) c[i, k - 1] -= up[k - 1] * c[i, k];
///     }
std::set<const ast::Symbol*> scratchOf(ast::NodePtr overall, const Surroundings& surroundings);

/// Notes them in the outermost `overall`, and in those that are all that the one round them does.
void findScratch(Loop& overall, const Surroundings& surroundings);

/// True of a vector that each iteration of the loop, or of one round it, may have for itself.
bool isScratchIn(const Loop* loop, ast::NodePtr vector);

/// True of a name of a std::array or std::vector of numbers that is no reference.
bool isArrayOrVector(ast::NodePtr container);

/// True of a declaration of such vectors with so many elements: `std::vector<double> v(n), w(n,
/// 1);`
bool declaresVectors(ast::NodePtr declaration);

}  // namespace hpcc::nests
