// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/slurm.hpp"

#include <algorithm>
#include <cstdlib>

#include "driver/toolchain.hpp"

namespace hpcc::driver {

int allocatedTasks() {
    if (!std::getenv("SLURM_JOB_ID") || std::getenv("SLURM_STEP_ID")) return 0;
    const char* const tasks = std::getenv("SLURM_NTASKS");
    return tasks ? std::max(1, std::atoi(tasks)) : 1;
}

bool usesSrun(const RunOptions& run) {
    if (!run.launcher.empty()) return run.launcher == "srun";
    return allocatedTasks() > 0 && !std::getenv("HPCC_MPIEXEC") && isOnPath("srun");
}

Command srunCommand(const RunOptions& run, bool isOpenMpi) {
    // -K1: a process that fails ends the others.
    Command command{"srun", isOpenMpi ? "--mpi=pmix" : "--mpi=pmi2", "-K1", "-n",
                    std::to_string(run.processes)};
    if (run.isLabelled) command.push_back("--label");
    if (!run.hosts.empty()) command.insert(command.end(), {"-w", run.hosts});
    return command;
}

}  // namespace hpcc::driver
