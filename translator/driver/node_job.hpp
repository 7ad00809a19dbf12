// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/process.hpp"

namespace hpcc::driver {

/// Runs so many processes of the command on this machine, without MPI: the runtime joins them by
/// the memory of a file that all of them inherit. The first one reads our standard input, the
/// others nothing. Signals that end us go to all of them. Returns the job's exit code: that of an
/// error in a process, else of the first one that ended otherwise than with 0; 128 + n if signal n
/// ended it, which ends the others. Failure(ToolchainMissing) if the program cannot be started.
int runOnNode(const Command& command, int processes);

}  // namespace hpcc::driver
