// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/indirect_cost.hpp>

namespace hpspmd::detail::cost {

/// How far the partners of a process are: at equal distances round the APG. Errors as Pattern's.
std::vector<int> distancesOf(const Adlib::Pattern& pattern);

}  // namespace hpspmd::detail::cost
