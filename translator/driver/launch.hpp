// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace hpcc::driver {

/// `hpcc run [options] prog [arguments]`: prints the mpiexec line and supervises it; with the
/// transport node, or in a build without MPI, runs the processes itself.
[[noreturn]] void launch(const std::vector<std::string>& words);

}  // namespace hpcc::driver
