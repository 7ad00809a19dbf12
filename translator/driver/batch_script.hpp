// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "driver/run_options.hpp"

namespace hpcc::driver {

/// A job script for Slurm's sbatch that runs the same `hpcc run` on as many tasks, in the folder
/// from which it is submitted. --host and --timeout become the job's nodes and its limit of time.
/// If the program writes checkpoints, Slurm tells it two minutes before that limit, and the job is
/// then queued again. `run.command` names a program that is there.
std::string batchScript(const RunOptions& run, bool writesCheckpoints);

}  // namespace hpcc::driver
