// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

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

/// Becomes the command: signals and the exit status are then its own. Returns never.
[[noreturn]] void become(const Command& command);

}  // namespace hpcc::driver
