// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// Fills in variable, first, end and step if `loop.statement` counts upwards, as
/// `for (int k = first; k < end; ++k)`; else leaves it as another loop. Whether something else
/// assigns k is for the caller to see, and whether a loop that ends only by meeting its end does.
void recogniseCounting(Loop& loop);

}  // namespace hpcc::nests
