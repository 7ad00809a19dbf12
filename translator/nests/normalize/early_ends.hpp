// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// A loop that goes up by one and first asks in each iteration whether its counter has passed a
/// number asks so in its head:
///
///     for (Index j = 0; j < n; ++j) {
///         if (j > i`) break;             ->   for (Index j = 0; j <= std::min(n - 1, i`); ++j)
///         c[i, j] *= 0.5;                         c[i, j] *= 0.5;
///     }
///
/// Any other loop is itself.
ast::NodePtr withoutEarlyEnd(Context& context, ast::NodePtr loop);

/// A loop whose head asks nothing, but whose body asks first, asks in its head; names and literals
/// stand there without parentheses, as OpenMP wants them, and `!(k >= n)` is `k < n`:
///
///     for (;; ++k) {
///         if (!((k) < (n))) break;       ->   for (; k < n; ++k) s += a[i, k];
///         s += a[i, k];
///     }
///
/// Any other loop is itself.
ast::NodePtr withConditionInHead(Context& context, ast::NodePtr loop);

}  // namespace hpcc::nests
