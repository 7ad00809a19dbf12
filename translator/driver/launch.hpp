#pragma once

#include <string>
#include <vector>

namespace hpcc::driver {

/// `hpcc run [-n N] prog [arguments]`: prints the mpiexec line and becomes it.
[[noreturn]] void launch(const std::vector<std::string>& words);

}  // namespace hpcc::driver
