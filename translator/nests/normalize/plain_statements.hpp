// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Writes statements in nests as the ones that the passes on nests know:
///
///     switch (kind) { case 1: case 2: s; break; default: t; }
/// ->  if (kind == 1 || kind == 2) { s; } else { t; }
///
///     if (const double v = a[i]; v > 0) s;                for (double w : weights) sum += w;
/// ->  { const double v = a[i]; if (v > 0) s; }        ->  for (Index k = 0; k < weights.size();
/// ++k)
///                                                             sum += weights[k];
///
///     for (int d : {-1, 1}) sum += a[i + d];              for (double w : {1.0, 4.0}) sum += w;
/// ->  for (int d = -1; d <= 1; d += 2) sum ..         ->  { const double list[2] = {1.0, 4.0}; for
/// .. }
/// Jumps forward: forward_jumps.hpp.
ast::Unit plainStatements(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
