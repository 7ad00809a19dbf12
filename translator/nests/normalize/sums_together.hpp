// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Makes the reductions of all iterations of a counting loop in front of it, if none reads what the
/// iterations before it change: their nest can then go along rows where each went down a column,
/// and one message joins them all.
///
///     for (Index j = 1; j < m; ++j) {
///         const double s = Adlib::sum(overall (i = x for :) a[i, j]);
///         overall (i = x for 0 : 0) c[i, j] = s;
///     }
/// ->
///     hpspmd::Array<double, hpspmd::Seq> s_values = ..;
///     for (Index j = 1; j < m; ++j) overall (i = x for :) s_values[j] += a[i, j];
///     if (hpspmd::detail::joined<..>(.., s_values, {x}))
///         for (Index j = 1; j < m; ++j) overall (i = x for 0 : 0) c[i, j] = s_values[j];
///     else ..                                        // the loop itself
ast::Unit sumsTogether(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
