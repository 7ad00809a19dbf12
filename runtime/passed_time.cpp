// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/passed_time.hpp>

#include "observe/ticks.hpp"

namespace hpspmd::detail {
namespace {

Ticks ticks;  // from the start of the program, so that it has run for a while when it is calibrated

double perTick() {
    static const double nanoseconds = [] {
        ticks.calibrate();
        return ticks.perTick();
    }();
    return nanoseconds;
}

}  // namespace

std::uint64_t moment() { return ticks.now(); }

double nanosecondsSince(std::uint64_t moment) {
    return static_cast<double>(static_cast<std::int64_t>(ticks.now() - moment)) * perTick();
}

}  // namespace hpspmd::detail
