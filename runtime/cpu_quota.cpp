// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_quota.hpp"

#include <sys/stat.h>

#include <fstream>

namespace hpspmd::detail {
namespace {

// Of one group: cpu.max holds "150000 100000", or "max 100000" without a limit; version 1 has a
// file for each number, and -1 for no limit.
double coresOf(const std::string& folder) {
    double granted = 0, period = 0;
    if (std::ifstream file(folder + "/cpu.max"); file >> granted >> period)
        return period > 0 ? granted / period : 0;
    std::ifstream quota(folder + "/cpu.cfs_quota_us"), length(folder + "/cpu.cfs_period_us");
    if (quota >> granted && length >> period && granted > 0 && period > 0) return granted / period;
    return 0;
}

std::uint64_t identityOf(const std::string& folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 ? status.st_ino : 0;
}

}  // namespace

CpuQuota cpuQuota(const ControlGroups& groups) {
    CpuQuota quota;
    groups.forEach("cpu", [&quota](const std::string& folder, int) {
        const double cores = coresOf(folder);
        if (cores > 0 && (quota.cores == 0 || cores < quota.cores))
            quota = {cores, identityOf(folder)};
    });
    return quota;
}

}  // namespace hpspmd::detail
