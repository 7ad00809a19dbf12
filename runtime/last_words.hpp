// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The last words of a process that ends by an error.

#include <string>

namespace hpspmd::detail {

/// Writes out what the program has printed, unless that goes into a pipe that nobody reads, then
/// the text on stderr. If something blocks (another thread holds stdout, say), the text is told
/// after two seconds all the same, and the process ends at once. What is printed later is lost.
void tellAtTheEnd(const std::string& text, int exitCode);

/// Whatever blocks from here on, a lock inside of MPI, or a destructor that MPI_Abort's exit()
/// calls: after so many seconds this process ends by itself, and the launcher then ends the others.
/// `words`, with the end of their line, are then told unless there were others. Takes no memory.
void endLatestAfter(unsigned seconds, int exitCode, const char* words = "");

}  // namespace hpspmd::detail
