// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>

#include "nests/lane_rows.hpp"
#include "nests/varying.hpp"

namespace hpcc::nests {

/// True if twice as many iterations of a loop that runs in lanes as usual are better at once: what
/// they have is of type double and in registers, of which there are enough. Rows and arrays of
/// their own would fill the first cache, and integers and calls need more registers. Those that
/// have left a loop inside are computed with the others, which only pays if these wait for a
/// division or a root.
bool isWide(const Nest& nest, const Loop& loop, const Varying& varying,
            const std::map<size_t, LaneRow>& rows);

}  // namespace hpcc::nests
