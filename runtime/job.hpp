// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Ending the job.

#include <string>

namespace hpspmd::detail {

/// Prints text on stderr, after what the program has printed so far, and ends all processes with
/// exitCode.
[[noreturn]] void endJob(const std::string& text, int exitCode);

}  // namespace hpspmd::detail
