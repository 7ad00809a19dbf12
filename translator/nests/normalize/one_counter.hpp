// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// A counting loop whose head declares and changes its counter alone:
///
///     for (int k = 0, m = 1; k < n; ++k, m += 2) S   ->  int m = 1;
///                                                        for (int k = 0; k < n; ++k) { S m += 2; }
///
/// in a block. Any other loop is itself.
ast::NodePtr withOneCounter(Context& context, ast::NodePtr loop);

}  // namespace hpcc::nests
