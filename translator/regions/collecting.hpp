// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are made whole for what is not divided.
#pragma once

#include "regions/method.hpp"

namespace hpcc::regions {

ArraySet neededBy(const Method& method, const Mentioned& mentioned);

// Warns (HP2912) if that happens in each iteration of a loop, one of these round the statement,
// which changes the array each time. Of loops that run whole another warning tells.
void tellCollected(const Method& method, NodePtr statement, const std::vector<NodePtr>& loops,
                   diagnostics::Engine& engine);

// .. and, of a loop that is marked outside of methods, behind it.
void tellCollectedBehind(const Method& loop, NodePtr around, diagnostics::Engine& engine);

}  // namespace hpcc::regions
