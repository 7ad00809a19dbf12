// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Files that this process may still open (ulimit -n).

namespace hpspmd::detail {

/// Ends the process with an MpiError if there are fewer than any MPI library needs to start: some
/// hang then, and the job cannot be ended from inside MPI.
void requireFilesForMpi();

}  // namespace hpspmd::detail
