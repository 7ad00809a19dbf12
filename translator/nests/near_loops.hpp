// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/far_columns.hpp"

namespace hpcc::nests {

/// A row that reads others at distances which loops between constants count that perhaps only the
/// C++ compiler knows (analysis::isOfCompileTime()), as RowNumbers writes it: it writes the loops
/// out if they are short, so that the distances are constants of a stencil. Or, if it is not
/// changed in place, overFarColumns() where that takes it. Null for others.
///
///     auto s = o.of(0.0);
///     for (int k = -r; k <= r; ++k) s = s + (w[k + r] * o.at(p + k));
///     return s;
/// ->
///     hpspmd::detail::eachOfLoops<false, __builtin_constant_p(r) &&
///                                        hpspmd::detail::areShort(-r, r)>(
///         $row, $first, $last, [&](const auto &o) {
///             auto s = o.of(0.0);
///             HPSPMD_UNROLLED(16)
///             for (int k = -r; k <= r; ++k) s = s + (w[k + r] * o.at(p, k));
///             return s;
///         });
ast::NodePtr overLoops(Context& context, ast::Bindings row,
                       const std::vector<ast::NodePtr>& declarations, ast::NodePtr value,
                       const std::string& operands, const std::map<std::string, FarRow>& far,
                       bool isInPlace);

}  // namespace hpcc::nests
