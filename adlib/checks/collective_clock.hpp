// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>

namespace hpspmd::detail {

/// How long this process has been in collectives, while somebody wants to know.
struct CollectiveClock {
    using Clock = std::chrono::steady_clock;

    int wanted = 0;  ///< by so many
    Clock::duration inside{};
    Clock::time_point begun{};
};

inline CollectiveClock collectiveClock;

}  // namespace hpspmd::detail
