// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/failure.hpp"
#include "driver/options.hpp"

namespace hpcc::driver {

/// Makes what the options ask for: translates, compiles and links, or prints an intermediate form.
ExitCode build(const Options& options);

}  // namespace hpcc::driver
