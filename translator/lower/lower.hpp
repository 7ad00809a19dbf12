// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::lower {

struct Options {
    /// Emit the checks of bounds: subscripts, ghost widths, fitting indices, null handles.
    bool boundsChecks = true;
    /// Emit the checks of ghost cells that are read: that they are fresh.
    bool ghostChecks = true;

    bool any() const { return boundsChecks || ghostChecks; }
};

/// Pre-translated HPspmd C++ -> C++17 with calls of the runtime (thesis, 4.5), schema by schema;
/// docs/translation.md shows all of them.
///
///     overall (i = x for :) S  ->  { const hpspmd::detail::Active i_active(x.dim());
///                                    for (const hpspmd::Block &i_block : x.localBlocks()) .. S' }
ast::Unit lower(ast::Unit unit, ast::Quoter& quote, const Options& options = {});

/// True if nothing of the extension is left.
bool isLowered(const ast::Unit& unit);

}  // namespace hpcc::lower
