// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace hpcc::driver {

/// Prints what a code means, with a wrong and a right program. Failure(Usage) for unknown codes.
void printExplanation(const std::string& code);

}  // namespace hpcc::driver
