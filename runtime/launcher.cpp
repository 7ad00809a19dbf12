// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launcher.hpp"

#include "compose.hpp"
#include "transport/transport.hpp"

#include <hpspmd/error.hpp>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

namespace hpspmd::detail {
namespace {

// The name of a process as the system shows it: at most 15 characters.
std::string nameOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/comm");
    std::string name;
    std::getline(file, name);
    return name;
}

// The socket by which MPICH's launcher and Slurm's speak with this process; -1 if there is none.
int connectionToLauncher() {
    static const int file = [] {
        const char* const value = std::getenv("PMI_FD");
        return value == nullptr ? -1 : static_cast<int>(std::strtol(value, nullptr, 10));
    }();
    struct stat status = {};
    const bool isOpen = file > 0 && ::fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
    return isOpen ? file : -1;
}

}  // namespace

void endWithLauncher() {
    connectionToLauncher();  // the environment may change later
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // `hpcc run` has said so to its child, which may be a shell that has started this process. Any
    // other parent but MPICH's may end before its child does.
    const bool isSure = rankInNodeJob() >= 0 || nameOf(::getppid()) == "hydra_pmi_proxy";
    if (!isSure) ::prctl(PR_SET_PDEATHSIG, 0);
}

void requireLauncher(Where where) {
    pollfd connection{connectionToLauncher(), 0, 0};
    if (connection.fd >= 0 && ::poll(&connection, 1, 0) == 1 && (connection.revents & POLLHUP) != 0)
        throw MpiError("the launcher of the job has been ended", where);
}

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
        if (processes == 1) return "";
        if (processes > 1)
            return compose(launcher.name, " started ", processes, " processes (", launcher.variable,
                           "=", processes, ")");
    }
    // What PALS is documented to set is the number of a process only.
    const char* const number = std::getenv("PALS_RANKID");
    if (number == nullptr || std::strtol(number, nullptr, 10) < 1) return "";
    return compose("PALS' mpiexec started several processes (PALS_RANKID=", number, ")");
}

std::string warningOfPlaces() {
    const char* const file = std::getenv("PBS_NODEFILE");
    if (file == nullptr || launcherRank() >= 0) return "";
    std::ifstream stream(file);
    int places = 0;
    for (std::string line; std::getline(stream, line);) places += line.empty() ? 0 : 1;
    if (places < 2) return "";
    return compose("warning: PBS gives this job ", places,
                   " places (PBS_NODEFILE), but one process runs; start it ",
                   "with mpiexec, or hpcc run -n ", places);
}

int launcherRank() {
    if (rankInNodeJob() >= 0) return rankInNodeJob();
    for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
        if (const char* value = std::getenv(variable))
            return static_cast<int>(std::strtol(value, nullptr, 10));
    return -1;
}

}  // namespace hpspmd::detail
