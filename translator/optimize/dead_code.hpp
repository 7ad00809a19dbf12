// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Dead code elimination (thesis, 5.3) of what lowering and the other passes declared: indices,
/// control variables and temporaries, and their movement in the steps of loops, where no way leads
/// to a read (Liveness). What these assign has no other effect.
///
///     const hpspmd::DistributedIndex j(y, j_block, j_k);   // gone if nobody names j
///     for (..; ++k, a_at_k += a_stride_1) {                // `for (..; ++k)`
///         b_data[b_at_i] = a_data[a_at_k];
///         break;
///     }
ast::Unit eliminateDeadCode(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
