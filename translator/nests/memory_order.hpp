// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nests/context.hpp"
#include "nests/fusable.hpp"

namespace hpcc::nests {

/// A nest of loops directly in one another, in the order in which elements lie in memory:
///
///     overall (j = y for :)                         overall (i = x for :)
///         overall (i = x for :)                 ->      overall (j = y for :)
///             b[i, j] = 2 * a[i, j];                        b[i, j] = 2 * a[i, j];
///
/// or with the loop innermost that adds up sums of products, if these can be computed in tiles.
/// That may become one with loops before it over the same elements:
///
///     overall (i = x for :) {                       overall (i = x for :)
///         overall (j = y for :) c[i, j] *= s;           overall (j = y for :) {
///         for (Index k = 0; k < n; ++k)         ->          c[i, j] *= s;
///             overall (j = y for :)                         for (Index k = 0; k < n; ++k)
///                 c[i, j] += a[i, k] * b[k, j];                 c[i, j] += a[i, k] * b[k, j];
///     }                                                 }
struct MemoryOrder {
    ast::NodePtr overall = nullptr;             // the nest in that order
    std::vector<std::string> loops = {};        // their variables, outermost first
    std::vector<ast::NodePtr> stamps = {};      // declared before it, under the conditions
    std::vector<ast::NodePtr> conditions = {};  // that loops which stood round it run at all
    NamePairs apart = {};                       // arrays that must share no element
};

/// That of a nest, which may be a counting loop round an `overall`; nothing if it has this order,
/// or if the loops depend on one another in more than one of them. `analyse` says what a loop
/// computes, null if that cannot be told; `isTiled` whether its sums of products are computed in
/// tiles.
std::optional<MemoryOrder> memoryOrder(Context& context, const Nest& nest,
                                       const std::function<const Nest*(ast::NodePtr)>& analyse,
                                       const std::function<bool(ast::NodePtr)>& isTiled);

}  // namespace hpcc::nests
