#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// Fills in variable, first, end and step if `loop.statement` is like
/// `for (int k = first; k < end; ++k)`; else leaves it as another loop. Whether something else
/// assigns k is for the caller to see.
void recogniseCounting(Loop& loop);

}  // namespace hpcc::nests
