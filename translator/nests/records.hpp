// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Finds innermost loops that keep the largest or least number so far, and something about it:
///
///     if (a[i] < least) { least = a[i]; at = i`; }
///
/// Whatever outlives an iteration changes under a comparison only with a number that then becomes
/// the other side of it. So few iterations change anything, and whether some do, as the numbers are
/// before them, may be asked for several at once. Notes that in the plan, behind the forms of the
/// loops that are independent.
void planRecords(Context& context, NestPlan& plan, const Elements& elements,
                 const Reaches& reaches);

/// What writes such a loop.
struct BatchLoops {
    ast::NodePtr first, last;                            // of its iterations
    std::function<ast::NodePtr(ast::NodePtr)> fastBody;  // the fast form of a body
};

/// The loop in batches; those in which nothing changes are left out.
///
///     for (hpspmd::detail::Batch i_batch(i_run.first, i_run.last); i_batch; ..) {
///         if (i_batch.mayBeLeftOut()) {
///             int i_found = 0;
///             HPSPMD_REDUCTION(i, reduction(| : i_found))
///             for (.. of i_batch ..) if (a_data[i] < least) i_found = 1;
///             if (i_batch.isLeftOut(i_found != 0)) continue;
///         }
///         for (.. of i_batch ..) if (a_data[i] < least) { least = a_data[i]; at = .. }
///     }
ast::NodePtr inBatches(Context& context, const Nest& nest, const Loop& loop,
                       const BatchLoops& loops);

}  // namespace hpcc::nests
