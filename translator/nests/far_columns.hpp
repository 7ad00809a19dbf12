// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nests/context.hpp"

namespace hpcc::nests {

/// Where a row starts, and how far from there its elements are read: `+ dj`.
struct FarRow {
    std::string start, distance;
};

/// A row whose value, as RowNumbers writes it, two counting loops add up over a rectangle of
/// elements, each times factors of its row and of its column, or choose the least or largest from:
/// of columns, each made once for all elements that need it, so that a sum is added in another
/// order. Null for others. `row` binds $row, $first and $last; `far` tells what rows' texts mean.
///
///     auto s = o.of(0.0);
///     for (di ..) for (dj ..) s = s + (w[di] * w[dj] * o.at(p + s0 * (i + di) + dj));
///     return s;
/// ->
///     hpspmd::detail::eachOfFarColumns<void>($row, $first, $last, 0.0, [&](auto &take) {
///         for (di ..) {
///             for (dj ..) take(w[dj], dj);
///             break;
///         }
///     }, [&](auto &take) {
///         for (di ..) take(w[di], p + s0 * (i + di));
///     });
ast::NodePtr overFarColumns(Context& context, ast::Bindings row,
                            const std::vector<ast::NodePtr>& declarations, ast::NodePtr value,
                            const std::string& operands, const std::map<std::string, FarRow>& far);

}  // namespace hpcc::nests
