// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan/layout.hpp"
#include "plan/plan.hpp"

namespace hpspmd::detail::plan {

/// True if the first copies of a replicated destination should pass on what they get to the others:
/// if the holders of the source had to send more copies each than a tree has levels.
bool isRelayWorthwhile(const Layout& to, const Layout& from);

/// How all elements of `array` that are on the first copies reach the others: a binomial tree over
/// the copies, one plan for each of its levels.
std::vector<Plan> relays(const Layout& array, int process);

}  // namespace hpspmd::detail::plan
