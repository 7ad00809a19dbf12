// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Computes what takes long, and depends on nothing but the counter of an inner loop, once in front
/// of a nest, not in each of its iterations:
///
///     overall (i = x for :)
///         for (Index j = 0; j < m; ++j) c[i, j] *= weight(j);
/// ->
///     const hpspmd::detail::ValuesOnce j_once(0, m);
///     if (j_once) {
///         hpspmd::Array<double, hpspmd::Seq> j_values = j_once.array<double>();
///         for (Index j = 0; j < m; ++j) j_values[j] = weight(j);
///         overall (i = x for :)
///             for (Index j = 0; j < m; ++j) c[i, j] *= j_values[j];
///     } else ..                                       // the nest itself
ast::Unit valuesOnce(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
