// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Standard output: nothing that the program prints gets lost without a word.

#include <csignal>
#include <string>

namespace hpspmd::detail {

/// As long as it lives, a closed pipe is an error of who writes, and no signal.
class WithoutSignal {
public:
    WithoutSignal();
    ~WithoutSignal();
    WithoutSignal(const WithoutSignal&) = delete;
    WithoutSignal& operator=(const WithoutSignal&) = delete;

private:
    struct sigaction before_;
};

/// Writes out what std::cout and stdio hold. "" or, if not all that was ever printed has been
/// written, a text that says why.
std::string flushedOutput();

/// Gives up what could not be written, so that later output is judged by itself. To be called by
/// who tells the program.
void forgetLostOutput();

/// From now on output that cannot be written is no error: the process ends by another one.
void ignoreLostOutput();

/// From now on output into a closed pipe is an IoError, which ends the job. Called by the start of
/// the environment. At the very end of the process, where a last flush fails, it ends with the
/// code of IoError, whether there is an environment or not.
void watchOutput();

}  // namespace hpspmd::detail
