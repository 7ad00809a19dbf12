// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/shared_memory.hpp"

#include <sys/statvfs.h>

#include <cstdint>
#include <cstdlib>

#include <fmt/core.h>

namespace hpcc::driver {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;
constexpr std::uint64_t bytesPerProcess = 4'200'000;  // UCX; Open MPI by itself needs a little less

/// Then the processes may be started elsewhere.
bool hasOtherHosts() {
    for (const char* variable : {"SLURM_JOB_ID", "PBS_JOBID", "HYDRA_HOST_FILE", "HPCC_MPIEXEC"})
        if (std::getenv(variable)) return true;
    return false;
}

}  // namespace

std::string sharedMemoryNote(int processes, const std::string& folder) {
    struct statvfs room;
    if (processes == 1 || hasOtherHosts() || ::statvfs(folder.c_str(), &room) != 0) return "";
    const std::uint64_t has = std::uint64_t{room.f_bavail} * room.f_frsize;
    const std::uint64_t needs = static_cast<std::uint64_t>(processes) * bytesPerProcess;
    if (has >= needs) return "";
    return fmt::format(
        "hpcc: warning: {} has room for {} MB, but {} processes need about {} MB there for MPI's "
        "messages; should the job fail, use fewer processes or make it larger: `docker run "
        "--shm-size={}m`, or as root `mount -o remount,size={}m {}`\n",
        folder, has / megabyte, processes, needs / megabyte, 2 * needs / megabyte,
        2 * needs / megabyte, folder);
}

}  // namespace hpcc::driver
