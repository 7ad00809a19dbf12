// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// A loop that compares its counter and a number more with its bound compares the counter alone:
///
///     for (int k = 0; k + 1 < n; ++k)           ->  for (int k = 0; k < n - 1; ++k)
///     for (std::size_t k = 1; k + 1 < m; ++k)   ->  for (..; k < (m > 1 ? m - 1 : 0); ++k)
///
/// Any other loop is itself.
ast::NodePtr withCounterAlone(Context& context, ast::NodePtr loop);

}  // namespace hpcc::nests
