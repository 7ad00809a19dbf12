// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/process.hpp"

namespace hpcc::driver {

/// gdb with what it has to know about multiarrays; Failure(ToolchainMissing) without either.
Command debuggerCommand();

/// Which processes of a job are looked at: "all" or the number of one.
struct DebuggedJob {
    std::string processes = "1", wanted = "all";
    Command program;
};

/// `hpcc run` for the job, in which each process is what stands `before` the program, with that.
Command runCommand(const DebuggedJob& job, const Command& before);

/// The same, whose processes first do what `how` says:
/// * "serve": the wanted ones run under gdbserver, and tell the port;
/// * a folder: the wanted ones write their process id into it, in a file with their number, and
///   wait until gdb traces them.
Command jobCommand(const DebuggedJob& job, const std::string& how);

/// The process started by jobCommand: `words` are how, which ones, and the program.
[[noreturn]] void becomeDebugged(const std::vector<std::string>& words);

/// The wanted processes under one gdb, with which `arguments` are handed; the exit code of the job.
int debugTogether(const DebuggedJob& job, const Command& arguments);

/// Each of the wanted processes under a gdb of its own, in a pane of a window of tmux.
int debugInPanes(const DebuggedJob& job);

}  // namespace hpcc::driver
