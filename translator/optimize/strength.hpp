// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Strength reduction (thesis, 5.2): a subscript that a loop multiplies its counter into becomes a
/// variable of its own, moved on by additions. So do the control subscripts of `overall`, i.sub
/// and i.global.
///
///     for (Index k = 0; k < n; ++k) sum += a_data[a_at_i + a_stride_1 * k];
/// becomes
///     hpspmd::Index a_at_i_k = a_at_i;
///     for (Index k = 0; k < n; ++k, a_at_i_k += a_stride_1) sum += a_data[a_at_i_k];
ast::Unit reduceStrength(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
