// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Makes reductions of statements that stand behind one another at once, in front of them, if none
/// reads what the statements before it change: in one pass over the elements, and with one message.
///
///     const double s = Adlib::sum(a), q = Adlib::dotProduct(a, b);
/// ->
///     double sum_part = 0, dotProduct_part = 0;
///     overall (i = x for :) {
///         sum_part += a[i];
///         dotProduct_part += a[i] * b[i];
///     }
///     const bool joined = hpspmd::detail::joinedAtOnce(.., {x}, ..);
///     const double s = joined ? sum_part : Adlib::sum(a), ..;
ast::Unit sumsAtOnce(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
