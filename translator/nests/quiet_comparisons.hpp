// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "nests/context.hpp"
#include "nests/reductions.hpp"

namespace hpcc::nests {

/// The body of a loop that counts, with comparisons of floating-point numbers that it counts where
/// they are false as questions of the library:
///
///     if (a_data[j] <= 0.7) continue;    ->    if (hpspmd::detail::isAtMost(a_data[j], 0.7))
///     ++count;                                     continue;
///                                              ++count;
///
/// They say the same, but of a NaN they raise no floating-point exception. So the C++ compiler may
/// ask the opposite question, which one instruction answers for a register of numbers.
ast::NodePtr withQuietComparisons(Context& context, ast::NodePtr body,
                                  const std::vector<Reduction>& joined);

}  // namespace hpcc::nests
