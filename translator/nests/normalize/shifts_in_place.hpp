// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// The block with elements of constant tables in the place of the variables that hold them, where
/// these shift an index, so that the loop over the table can be written out:
///
///     const int di = corner[k][0];
///     s += a[i + di];                     ->      s += a[i + (corner[k][0])];
ast::NodePtr withShiftsInPlace(Context& context, ast::NodePtr block);

}  // namespace hpcc::nests
