// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Hoists control variables (thesis, 5.5.2, step 2): the local blocks of an inner `overall` that do
/// not change from one iteration of the outer one to the next, and its guard of the active group if
/// nothing outside of it asks for that group. The landing pad is entered only if the outer loop
/// runs, so that nothing is asked that was not asked before.
///
///     for (i_k ..) { const Active j_active(y.dim()); for (j_block : y.localBlocks(1, n - 2)) .. }
/// becomes
///     if (i_block.count == 0) continue;
///     const Active j_active(y.dim());
///     const Blocks j_blocks = y.localBlocks(1, n - 2);
///     for (i_k ..) for (j_block : j_blocks) ..
ast::Unit hoistControls(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
