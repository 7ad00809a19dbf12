// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "nests/packed_rows.hpp"

namespace hpcc::nests {

/// A loop that does nothing in each iteration but change the same row, perhaps with numbers that
/// it declares first, or as a nest that says what it writes:
///
///     for (int k = 0; k < n; ++k) {
///         const double f = a[i, k];
///         for (Index j = 0; j < m; ++j) c[i, j] += f * b[k, j];
///     }
struct RepeatedRow {
    const Loop* inner = nullptr;
    std::vector<ast::NodePtr> before = {};
    ast::NodePtr stamp = nullptr;  // the same in all iterations
};
std::optional<RepeatedRow> repeatedRow(const Nest& nest, const Loop& loop);

/// Finds such loops that can have several iterations computed at once, in their order for each
/// element, so that the row is loaded and stored once for them, if the arrays of `apart`, to which
/// pairs are added, share no element. `isKnown`: whether a loop's bounds are known before the loops
/// round it. True if there are any.
bool repeatRows(Context& context, NestPlan& plan, Elements& elements, const EntryTest& test,
                ArrayPairs& apart, const std::function<bool(const Loop&)>& isKnown);

/// The call for such a loop, behind what its nest says to write, if it runs.
ast::NodePtr behindStamp(Context& context, Elements& elements, const Repetition& repetition,
                         ast::NodePtr stamp, ast::NodePtr rows);

}  // namespace hpcc::nests
