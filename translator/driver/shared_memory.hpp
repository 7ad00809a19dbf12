// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Room in /dev/shm, where the processes of an MPI library exchange messages.

#include <string>

namespace hpcc::driver {

/// A note with the remedy if there is too little room for so many processes on this machine, else
/// "". Containers have 64 MB there by default; without room MPI ends, mostly by SIGBUS.
std::string sharedMemoryNote(int processes, const std::string& folder = "/dev/shm");

}  // namespace hpcc::driver
