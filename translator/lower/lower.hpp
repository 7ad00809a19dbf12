#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::lower {

struct Options {
    /// Emit the run-time checks of the language (bounds, ghost widths, fitting indices, null
    /// handles).
    bool checks = true;
};

/// Pre-translated HPspmd C++ -> C++17 with calls of the runtime (thesis, 4.5), schema by schema:
///
///     overall (i = x for :)       {
///         a[i] = 0.0;        ->       const hpspmd::detail::Active i_active(x.dim());
///                                     for (const hpspmd::Block &i_block : x.localBlocks())
///                                         for (hpspmd::Index i_k = 0; i_k < i_block.count; ++i_k)
///                                         {
///                                             const hpspmd::DistributedIndex i(x, i_block, i_k);
///                                             a.data()[a.stride(0) * i.sub] = 0.0;
///                                         }
///                                 }
///
/// docs/translation.md shows every schema.
ast::Unit lower(ast::Unit unit, ast::Quoter& quote, const Options& options = {});

/// True if nothing of the extension is left.
bool isLowered(const ast::Unit& unit);

}  // namespace hpcc::lower
