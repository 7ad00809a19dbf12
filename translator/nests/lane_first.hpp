// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "nests/context.hpp"
#include "nests/varying.hpp"

namespace hpcc::nests {

/// A loop in lanes in whose body a condition compares its counter with a constant, so that all but
/// the first iterations go the same way, as two loops. What one iteration stores for the next one
/// then stays in registers in the second. `parts` are those of the loop as written for lanes. Null
/// of other loops.
///
///     for (int k = 0; k < n; ++k) row[k] = f(k > 0 ? row[k - 1] : 0);
/// ->
///     for (int k = 0; k < n && k < 1; ++k) row[k] = f(k > 0 ? row[k - 1] : 0);
///     for (int k = 1; k < n; ++k) row[k] = f(k > 0 ? row[k - 1] : 0);
ast::NodePtr withFirstApart(Context& context, const Varying& varying, ast::NodePtr loop,
                            const std::vector<ast::NodePtr>& parts);

}  // namespace hpcc::nests
