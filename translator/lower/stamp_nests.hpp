// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::lower {

/// Wraps the nests (outermost `overall` and `at`) of the restricted form that change arrays, for
/// the checks of ghost cells: what they surely write is noted when they begin, by all processes.
///
///     overall (i = x for 1 : n - 2) b[i] = a[i - 1];
///     ->
///     {
///         const hpspmd::detail::Nest i_nest(hpspmd::detail::any(x, 1, n - 2), b);
///         overall (i = x for 1 : n - 2) b[i] = a[i - 1];
///     }
ast::Unit stampNests(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::lower
