// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/arrays.hpp"

namespace hpcc::regions {

// Elements are moved as bytes: where a member of theirs is a pointer or a reference, as far as is
// in sight, that is told (HP2911), and only the process that made them can make use of them.
bool tellPointer(const DividedArray& array, source::Span place, diagnostics::Engine& engine);

}  // namespace hpcc::regions
