// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// Numbers that run along with counting loops become sums of these loops' counters, so that the
/// entry of a nest can tell their values:
///
///     int m = 0;
///     for (int p = -1; p <= 1; ++p)
///         for (int q = 0; q < 3; ++q) s += w[m++] * u[i + p, q];
/// ->
///     for (int p = -1; p <= 1; ++p)
///         for (int q = 0; q < 3; ++q) s += w[(p + 1) * 3 + q] * u[i + p, q];
///
/// All statements of a block; inner loops have a constant number of iterations.
ast::NodePtr withoutRunningNumbers(Context& context, ast::NodePtr block);

}  // namespace hpcc::nests
