// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/sums_of_products.hpp"

namespace hpcc::nests {

/// The part of a term that is worth being computed once for all columns, as it is a number of the
/// row and the step that is no mere element: `a[i, k] + b[i, k]` of `(a[i, k] + b[i, k]) * d[k,
/// j]`. Null if there is none, or several.
ast::NodePtr computedFactor(const SumsOfProducts& sums, const SumsOfProducts::Terms& terms);

/// The factors of two loops that are one loop but for these, in each row; null if they are not.
///
///     for (Index k = 0; k <= i`; ++k) sum += a[i`, k] * b[k, j];
///     for (Index k = i` + 1; k < n; ++k) sum += a[k, i`] * b[k, j];
struct TwoFactors {
    ast::NodePtr first = nullptr, second = nullptr;
};
TwoFactors factorsOfOneLoop(const Nest& nest, const SumsOfProducts& sums,
                            const SumsOfProducts::Terms& terms, const SumsOfProducts::Terms& next);

}  // namespace hpcc::nests
