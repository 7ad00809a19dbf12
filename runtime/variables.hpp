// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The environment variables that the library knows.

#include <string>
#include <vector>

namespace hpspmd::detail {

/// A warning for each variable of that prefix which means nothing: "HPSPMD_WAITNG is no variable of
/// this library; those that begin so are ..".
std::vector<std::string> warningsOfVariables(const char* const* environment);

}  // namespace hpspmd::detail
