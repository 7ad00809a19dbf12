// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace hpcc::driver {

using Command = std::vector<std::string>;

/// The command as a line that a POSIX shell reads back as the same words.
std::string shellLine(const Command& command);

/// Runs the command with our standard streams and waits: its exit status, 128 + n if signal n ended
/// it. Failure(ToolchainMissing) if it cannot be started, Failure(SourceError) if nothing can be:
/// no memory, no file handles.
int run(const Command& command);

/// The same, but what the command writes to the standard error stream goes into `errors`.
int run(const Command& command, std::string& errors);

/// Runs the command and returns what it wrote to both output streams; empty if it fails or
/// is not there.
std::string outputOf(const Command& command);

/// Runs the command in the foreground of our terminal, if there is one, and waits; meanwhile the
/// keys that end programs are the command's.
void runInForeground(const Command& command);

/// Starts the command at the head of a process group of its own, for RunningCommand: 0 or an error
/// number.
int start(pid_t& child, const Command& command, const sigset_t& mask);

/// Becomes the command: signals and the exit status are then its own. Returns never.
[[noreturn]] void become(const Command& command);

}  // namespace hpcc::driver
