// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CpuQuota, how much processor time the system's control groups grant.

#include <cstdint>

#include "control_groups.hpp"

namespace hpspmd::detail {

/// The tightest quota of the control groups that this process is in.
struct CpuQuota {
    double cores = 0;         ///< so many may be busy all the time; 0: no limit
    std::uint64_t group = 0;  ///< the one whose processes share them, the same in all of them
};

CpuQuota cpuQuota(const ControlGroups& groups);

}  // namespace hpspmd::detail
