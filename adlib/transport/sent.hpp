// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace hpspmd::detail::transport {

/// What this process has sent to others since it started.
struct SentSoFar {
    std::uint64_t messages = 0, bytes = 0;
};

SentSoFar sentSoFar();

}  // namespace hpspmd::detail::transport
