// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Requests to stop, which a batch system makes some time before it ends a job.

namespace hpspmd::detail {

/// From now on the first SIGTERM or SIGUSR1 is noted; a second one ends the process, as ever. Where
/// there is a handler already (MPICH has one for SIGUSR1), it is called as well.
void noteStopRequests();

/// The signal that this process got; 0 if none.
int stopRequest();

}  // namespace hpspmd::detail
