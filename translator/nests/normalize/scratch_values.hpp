// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// Puts what the elements of an array hold in their place, where each iteration of a nest fills it
/// for nothing but sums of products of its elements, which then are sums over the nest:
///
///     overall (i = x for :) {
///         double from[24];
///         for (int j = 0; j < 24; ++j) from[j] = a[i, j] - mean[j];
///         for (int j = 0; j < 24; ++j)
///             for (int k = j; k < 24; ++k) sums[j][k] += from[j] * from[k];
///     }
/// ->
///     if (hpspmd::detail::disjointFrom(a, sums))
///         overall (i = x for :)
///             for (int j = 0; j < 24; ++j)
///                 for (int k = j; k < 24; ++k)
///                     sums[j][k] += (a[i, j] - mean[j]) * (a[i, k] - mean[k]);
///     else
///         overall ..
ast::Unit scratchValues(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
