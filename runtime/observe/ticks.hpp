// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Time that is cheap to read.

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
/// Does the processor's counter go on at one speed?
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
        const std::uint64_t ticks = now();
        const std::int64_t time = nanoseconds();
        if (ticks > startTicks_)
            perTick_ =
                static_cast<double>(time - startTime_) / static_cast<double>(ticks - startTicks_);
    }
    double perTick() const { return perTick_; }  ///< nanoseconds
    /// On the shared clock.
    std::int64_t toNanoseconds(std::uint64_t ticks) const {
        return startTime_ +
               static_cast<std::int64_t>(static_cast<double>(ticks - startTicks_) * perTick_);
    }
    std::int64_t startTime() const { return startTime_; }

private:
#if defined(__x86_64__)
    const bool usesCounter_ = counterIsSteady();
#endif
    const std::int64_t startTime_ = nanoseconds();
    const std::uint64_t startTicks_ = now();
    double perTick_ = 1;
};

}  // namespace hpspmd::detail
