// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// The nest of a loop over the pivots of an elimination, which copies the row of each and takes it
/// out of those below; null if the loop does anything else.
///
///     for (Index k = 0; k < n - 1; ++k) {
///         Adlib::remap(row, a[[k, :]]);
///         overall (i = x for k + 1 :) {
///             const double factor = a[i, k] / row[k];
///             a[i, k] = factor;
///             for (Index j = k + 1; j < n; ++j) a[i, j] -= factor * row[j];
///         }
///     }
ast::NodePtr nestOfPivots(ast::NodePtr loop);

/// The same loop, whose form without that is `other`, behind its first steps, which the library
/// does several at a time on a process alone; null if the nest does anything else. It begins
///
///     for (Index k = hpspmd::detail::afterPivots<Index>(
///              a, row, x, 0, hpspmd::Index(n - 1) - 1,
///              [&] {
///                  return hpspmd::detail::PivotEnds(x.size() - 1, hpspmd::Index(n) - 1,
///                                                   row.size(0) - 1);
///              },
///              [&](const Index k, double *line, const double *pivot) {
///                  const double factor = line[k] / pivot[k];
///                  line[k] = factor;
///                  return [=](const auto &j_row, const auto &a_own) {
///                      return a_own - factor * j_row.at(pivot);
///                  };
///              });
///          k < n - 1; ++k)
ast::NodePtr behindPivots(Context& context, ast::NodePtr loop, const Nest& nest,
                          ast::NodePtr other);

}  // namespace hpcc::nests
