// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which cores the processes of a node have, and whether they must share them.

#include "cpu_quota.hpp"

#include <sched.h>

#include <vector>

namespace hpspmd::detail {

/// What the system lets a process use.
struct Allowance {
    cpu_set_t mask;  ///< its affinity; empty: not known
    int least = 0;   ///< so many cores it has at any rate, perhaps outside of the mask
    CpuQuota quota;
};

/// The cores of a node's processes.
struct Cores {
    std::vector<Allowance> processes;
    int all = 0;  ///< of all of them together; 0 if that is not known
    int own = 0;  ///< of this process, perhaps also others'

    int processCount() const { return static_cast<int>(processes.size()); }
};

/// `least`: so many cores this process has at any rate. Collective over the node.
Cores coresOfNode(int least);

/// The cores that these processes have together: named by a mask, and granted by the quotas.
int coresTogether(const std::vector<Allowance>& processes);

/// True if each thread can have a core of its own, of those that its process may use. `threads`: of
/// each process.
bool haveCores(const std::vector<Allowance>& processes, const std::vector<int>& threads);

/// True if the processes of the node sleep while they wait (waitsSleep). `threads`: of this
/// process. Where HPSPMD_LOG is set it is told. Collective over the node.
bool chooseSleep(const Cores& cores, int threads);

}  // namespace hpspmd::detail
