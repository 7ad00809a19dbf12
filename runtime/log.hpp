// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the library has found out and chosen, told on stderr.

#include <cstdlib>

namespace hpspmd::detail {

/// True if the environment variable HPSPMD_LOG is set. The first process of a node, or of the job,
/// speaks.
inline bool isLogWanted() {
    const char* const wanted = std::getenv("HPSPMD_LOG");
    return wanted != nullptr && *wanted != 0;
}

}  // namespace hpspmd::detail
