// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/method.hpp"

namespace hpcc::regions {

// Makes the format that arrays name that of the method. Two of them are an error, HP2903 where a
// loop has parts of both.
void takeFormats(Method& method, diagnostics::Engine& engine);

}  // namespace hpcc::regions
