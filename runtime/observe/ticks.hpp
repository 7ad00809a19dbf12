// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Time that is cheap to read.

#include <algorithm>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace hpspmd::detail {

/// Nanoseconds of a clock that all processes of a machine share.
inline std::int64_t nanoseconds() {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

#if defined(__x86_64__)
/// True if the processor's counter goes on at one speed.
inline bool counterIsSteady() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
}
#endif

/// Reads the processor's counter where that is steady, else the clock.
class Ticks {
public:
    std::uint64_t now() const {
#if defined(__x86_64__)
        if (usesCounter_) return __rdtsc();
#endif
        return static_cast<std::uint64_t>(nanoseconds());
    }

    /// From now on toNanoseconds() is right; the longer it is since the start, the more exact.
    void calibrate() {
        const Reading reading = read();
        if (reading.ticks > start_.ticks)
            perTick_ = static_cast<double>(reading.time - start_.time) /
                       static_cast<double>(reading.ticks - start_.ticks);
    }
    double perTick() const { return perTick_; }  ///< nanoseconds
    /// On the shared clock.
    std::int64_t toNanoseconds(std::uint64_t ticks) const {
        return start_.time +
               static_cast<std::int64_t>(
                   static_cast<double>(static_cast<std::int64_t>(ticks - start_.ticks)) * perTick_);
    }
    std::int64_t startTime() const { return start_.time; }

private:
    /// Both at one moment.
    struct Reading {
        std::uint64_t ticks = 0;
        std::int64_t time = 0;
    };

    /// The one of several that took the shortest: a process may be interrupted in between.
    Reading read() const {
        Reading best;
        std::uint64_t shortest = ~std::uint64_t{0};
        for (int k = 0; k < 4; ++k) {
            const std::uint64_t before = now();
            const std::int64_t time = nanoseconds();
            const std::uint64_t taken = now() - before;
            if (taken < shortest) best = {before + taken / 2, time};
            shortest = std::min(shortest, taken);
        }
        return best;
    }

#if defined(__x86_64__)
    const bool usesCounter_ = counterIsSteady();
#endif
    const Reading start_ = read();
    double perTick_ = 1;
};

}  // namespace hpspmd::detail
