// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Requests to stop, which a batch system makes some time before it ends a job.

namespace hpspmd::detail {

/// Batch systems send a signal more than once for one request (Slurm to the step, and srun hands
/// its own on), within this time.
constexpr int secondsOfOneRequest = 3;

/// From now on SIGTERM and SIGUSR1 are noted; one that comes `secondsOfOneRequest` after the first
/// of its kind, or later, ends the process, as ever. Where there is a handler already (MPICH has
/// one for SIGUSR1), it is called as well.
void noteStopRequests();

/// The signal that this process got; 0 if none.
int stopRequest();

}  // namespace hpspmd::detail
