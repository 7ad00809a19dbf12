// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/fresh_names.hpp"
#include "ast/quote.hpp"

namespace hpcc::pretranslate {

/// Range expressions in the headers of `at` and `overall` that are not simple, that lie behind
/// a pointer, that a function may change which is called inside, or whose name is that of another
/// variable inside, become constants:
///
///     overall (i = a.rng(0) for :) S   ->   {
///                                               const hpspmd::Range i_range = a.rng(0);
///                                               overall (i = i_range for :) S
///                                           }
///
/// Inside a nest they are declared at its entry if their value cannot change before they are used
/// and the inner construct always runs; else directly before the construct.
ast::NodePtr bindRanges(ast::Arena& arena, ast::Quoter& quote, const ast::FreshNames& names,
                        ast::NodePtr root);

}  // namespace hpcc::pretranslate
