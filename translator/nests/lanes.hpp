// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/loop_runs.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Finds loops of which several iterations will run at once, a lane for each (lane_code.hpp):
/// they are independent, but in each is a loop that goes step by step. Arrays of `apart`, to which
/// pairs are added, must share no element. Notes that in the plan. True if there are any.
bool planLanes(Context& context, NestPlan& plan, Elements& elements, const EntryTest& test,
               LoopRuns& runs, ArrayPairs& apart);

/// An access whose elements do not lie side by side along an innermost loop, but would along one
/// round it; null if there is none, or if those of another access do lie so.
const Access* acrossRows(const Nest& nest, const Loop& loop);

/// True if it is such a loop, or stands in one. Null is not.
bool isInLanes(const NestPlan& plan, const Loop* loop);

}  // namespace hpcc::nests
