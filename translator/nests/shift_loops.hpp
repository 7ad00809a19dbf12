// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Writes out short loops in a nest whose variable shifts an index, or chooses among elements of an
/// array of the iteration's own, where their bounds are known, so that each access has a distance
/// of its own, and each such element can be a number:
///
///     for (int d = -1; d <= 1; ++d)
///         if (d != 0) sum += w[d + 1] * a[i + d, j];
/// ->
///     { const int d = -1; sum += w[d + 1] * a[i - 1, j]; }
///     { const int d = 1; sum += w[d + 1] * a[i + 1, j]; }
ast::Unit shiftLoops(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
