// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>

namespace hpcc::driver {

/// What `hpcc` returns to its caller. A failure of the back end, of a file, of an output stream and
/// of memory count as errors in the source.
enum class ExitCode { Ok = 0, SourceError = 1, Usage = 2, InternalError = 3, ToolchainMissing = 4 };

/// Ends the run with `hpcc: error: <text>`. For everything that has no place in a source file; what
/// has one goes through diagnostics::Engine. An empty text means that the message is already out.
class Failure : public std::runtime_error {
public:
    Failure(ExitCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
    ExitCode code() const { return code_; }

private:
    ExitCode code_;
};

}  // namespace hpcc::driver
