// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::optimize {

/// Loop unrolling (thesis, 5.4) where it pays: by two, if an inner construct asks for the parity of
/// the outer index, so that the question does not change from one iteration to the next; and loops
/// of a few iterations whose number is known.
///
///     overall (i = x for :) overall (j = y for 1 + (i` + it) % 2 : n - 2 : 2) S
/// becomes a loop over pairs of rows, the first with (i_block.globalBase + it) % 2, the second with
/// (i_block.globalBase + i_block.globalStep + it) % 2. If `it` may be negative, that loop stands
/// under `if (it >= 0)`, and the one row by row in its `else`.
ast::Unit unrollLoops(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::optimize
