// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"
#include "nests/context.hpp"

namespace hpcc::nests {

/// Gives a reduction over an expression a nest that computes what this process contributes, which
/// is then a nest like any other. The expression stays: reproducible sums add up its values, and it
/// knows the ranges.
///
///     Adlib::maxval(overall (i = x for :, j = y for :) std::fabs(a[i, j]))
/// ->
///     Adlib::maxval(hpspmd::detail::withNest([&](const auto &use) {
///         return use(overall (i = x for :, j = y for :) std::fabs(a[i, j]));
///     }, [&](auto all) {
///         overall (i = x for :)
///             overall (j = y for :) all = std::max(all, std::fabs(a[i, j]));
///         return all;
///     }))
ast::Unit reductionNests(ast::Unit unit, ast::Quoter& quote);

/// `value += e;` of a sum, `value = std::max(value, e);` of a maxval, and so on.
ast::NodePtr reductionStep(Context& context, std::string_view reduction, ast::NodePtr value,
                           ast::NodePtr e);

}  // namespace hpcc::nests
