// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/group.hpp>
#include <hpspmd/target.hpp>

#include <vector>

namespace hpspmd::detail {

/// The speeds of the processes of the APG, the coordinates of `d`, between which a method divides
/// its arrays; empty: all are equal. HPSPMD_SPEEDS names them, so that nobody asks. Else a program
/// with kernels asks in the first call of each method on each grid whether a process is `on
/// (devices)` in it, and measures if one is; later calls are divided as that one. Collective over
/// the APG then. AdlibError for a wrong HPSPMD_SPEEDS.
const std::vector<double>& speedsForMethod(const Site& method, const Dimension& d);

}  // namespace hpspmd::detail
