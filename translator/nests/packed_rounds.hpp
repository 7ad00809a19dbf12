// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Finds the loops round counting loops that will be rows in packs, because each of their
/// iterations goes through these in the same way, if the arrays of `apart`, to which pairs are
/// added, share no element. Notes that their iterations are independent. True if there are any.
///
///     for (j ..) { double s = 0; for (d ..) s += w[d] * a[i, j + d]; b[i, j] = s; }
bool packRounds(Context& context, NestPlan& plan, Elements& elements, const EntryTest& test,
                ArrayPairs& apart);

/// Notes that a loop, and what stands inside, is written as rows in packs.
void notePacked(NestPlan& plan, const Loop& loop);

}  // namespace hpcc::nests
