// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::lower {

/// Wraps the nests (outermost `overall` and `at`) of the restricted form that change arrays: what
/// they write, surely or perhaps, is noted when they begin, by all processes. The checks of ghost
/// cells ask it, and what fills the views of methods.
///
///     overall (i = x for 1 : n - 2) b[i] = a[i - 1];
///     ->
///     {
///         const hpspmd::detail::Nest i_nest(hpspmd::detail::any(x, 1, n - 2), b);
///         overall (i = x for 1 : n - 2) b[i] = a[i - 1];
///     }
ast::Unit stampNests(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::lower
