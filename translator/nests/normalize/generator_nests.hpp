// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Gives each generator of a new array a nest that stores its values, which is then a nest like any
/// other. The expression stays: it knows the ranges, and what is left to the other elements.
///
///     Adlib::modarray(a, overall (i = x for 1 : n - 2, j = y for :) 0.5 * a[i - 1, j])
/// ->
///     Adlib::modarray(a, hpspmd::detail::withStores(overall (i = x for 1 : n - 2, j = y for :) ..,
///                                                   [&](const auto& made) {
///         overall (i = x for 1 : n - 2)
///             overall (j = y for :) made[i, j] = 0.5 * a[i - 1, j];
///     }))
ast::Unit generatorNests(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
