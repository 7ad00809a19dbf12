// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// The loops of a nest whose fold is a sum for each pair of two counting loops' variables
///
///     overall (k = x for :)
///         for (Index i = 0; i < n; ++i)
///             for (Index j = 0; j < n; ++j) t[k, i * n + j] = a[k, i] * a[k, j];
///
/// as a call of the library's loop that keeps tiles of these sums in registers while k runs. Where
/// the term is the same with i and j in each other's place it computes one sum for both.
///
///     hpspmd::detail::symmetricSumsOfProducts(0, hpspmd::Index(n) - 1, k_run.first, k_run.last,
///         0.0, [&](hpspmd::Index k) { return a_data + a_s0 * k; },
///         [&](Index i, hpspmd::Index k, const auto &a_row) { return a_data[a_s0 * k + i] *
///             a_row; },
///         [&](Index i, Index j, double sum) { t_sums_data[i * n + j] = sum; });
///
/// Null if the nest is something else; what nearly is such a nest tells why it is none in the
/// `untiled` of its plan.
ast::NodePtr writeFoldedTiles(Context& context, NestPlan& plan, Elements& elements,
                              const std::string& run);

}  // namespace hpcc::nests
