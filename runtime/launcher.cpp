// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launcher.hpp"

#include "compose.hpp"
#include "transport/transport.hpp"

#include <cstdlib>

namespace hpspmd::detail {

std::string otherLauncher() {
    struct Launcher {
        const char* variable;
        const char* name;
    };
    // Those of MPI libraries come first: inside of a step of Slurm their mpiexec may start one
    // process.
    static constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpiexec"},
                                             {"PMI_SIZE", "MPICH's mpiexec"},
                                             {"PALS_SIZE", "PALS' mpiexec"},
                                             {"FLUX_JOB_SIZE", "Flux"},
                                             {"SLURM_STEP_NUM_TASKS", "Slurm's srun"}};
    for (const Launcher& launcher : launchers) {
        const char* value = std::getenv(launcher.variable);
        const long processes = value ? std::strtol(value, nullptr, 10) : 0;
        if (processes == 1) break;
        if (processes > 1)
            return compose(launcher.name, " started ", processes, " processes (", launcher.variable,
                           "=", processes, ")");
    }
    return "";
}

int launcherRank() {
    if (rankInNodeJob() >= 0) return rankInNodeJob();
    for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
        if (const char* value = std::getenv(variable))
            return static_cast<int>(std::strtol(value, nullptr, 10));
    return -1;
}

}  // namespace hpspmd::detail
