// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Signals by which the system ends a process that does what it must not.

namespace hpspmd::detail {

/// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT end the job with a message that names
/// place, process, signal and the last collective; exit code 128 + signal. UCX, below MPI, and
/// LLVM, below some drivers of OpenCL, have handlers that print a stack, and lose them; those of
/// the program and of sanitizers stay. The job has `processes`; 0: not known yet, as before main.
void reportCrashes(int processes);

/// The same once more, after a library that may have taken the signals has been opened or called.
void takeCrashSignals();

}  // namespace hpspmd::detail
