// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Puts the elements in the place of references to them, as long as these stay the same element:
///
///     overall (i = x for :) {
///         double &total = y[i];                                      overall (i = x for :) {
///         const auto &w = v[i];                                          y[i] = 0;
///         total = 0;                                            ->       for (..) y[i] += v[i] *
///         ..; for (Index k = 0; k < n; ++k) total += w * a[i, k];        }
///     }
///
/// and `p[i].x` in the place of x of `auto &[x, v] = p[i]`; `auto [x, v] = p[i]` becomes a variable
/// whose members they are.
ast::Unit elementReferences(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
