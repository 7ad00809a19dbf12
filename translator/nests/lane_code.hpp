// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"
#include "nests/loop_runs.hpp"

namespace hpcc::nests {

/// An `overall` whose iterations are independent, but in which a loop is that must go step by step,
/// with several iterations at once, a lane for each. Numbers that differ between them are packs,
/// and what only some of them come to is done under a mask:
///
///     overall (i = x for :) {
///         double r = a[i];
///         while (std::fabs(r * r - a[i]) > 1e-13) r = 0.5 * (r + a[i] / r);
///         y[i] = r;
///     }
/// ->
///     if constexpr (hpspmd::detail::hasLanes<true>)
///         i_rest.first = hpspmd::detail::eachInLanes<true>(i_rest, [&](const hpspmd::Index i,
///                                                                      const auto &i_all) {
///             hpspmd::detail::Each<double> r = i_all.load(&a_data[i]);
///             {
///                 hpspmd::detail::Running i_some = i_all.copy();
///                 while (i_some.keep(magnitude(r * r - i_all.load(&a_data[i])) > 1e-13))
///                     i_some.set(r, 0.5 * (r + i_all.load(&a_data[i]) / r));
///             }
///             i_all.store(&y_data[i], r);
///         });
///
/// where `rest` names what the loop goes over, and what is left for it then; "" asks only whether
/// it can be written. Null if it holds something else than numbers, elements, and loops over them.
ast::NodePtr laneCode(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                      const LoopRuns::Names& run, const std::string& rest);

}  // namespace hpcc::nests
