// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optimize/names.hpp"

namespace hpcc::optimize {

/// Finds the variables of a function and what each name means, and what its steps name and may
/// change. `before`: as Names gets it.
void resolveNames(Names& names, const Names* before);

}  // namespace hpcc::optimize
