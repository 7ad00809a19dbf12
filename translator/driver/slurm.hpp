// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/process.hpp"
#include "driver/run_options.hpp"

namespace hpcc::driver {

/// How many tasks Slurm has given to the job, inside of which hpcc runs, but not as one of its
/// steps (salloc, sbatch); 0 if it does not.
int allocatedTasks();

/// True if the job is started by srun: as `--launcher` says, else inside of an allocation, if srun
/// is there and HPCC_MPIEXEC names no other launcher.
bool usesSrun(const RunOptions& run);

/// srun and its options, before the program.
Command srunCommand(const RunOptions& run, bool isOpenMpi);

}  // namespace hpcc::driver
