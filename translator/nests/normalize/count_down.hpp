// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Loops in nests that count down in their conditions count down by their steps:
///
///     for (std::size_t k = n; k-- > 0;)          for (std::size_t k = n; k > 0; --k)
///         s = s * x + a[i, k];             ->        s = s * x + a[i, k - 1];
///
/// Counters that are `auto` get the names of their types, and all begin by `=`.
ast::Unit countDown(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
