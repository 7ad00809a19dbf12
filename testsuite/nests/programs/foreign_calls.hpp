// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Out of sight for hpcc, as a macro names it: functions that end the loop, ask for the active
// group, or change numbers.
#pragma once
#include <hpspmd>
#include <stdexcept>

inline double unlessNegative(double value) {
    if (value < 0) throw std::runtime_error("negative");
    return value * 0.5;
}

inline int activeProcesses() { return hpspmd::apg().size(); }

inline void advance(long& state) { state = state * 3 % 101; }

inline long calls = 0;
inline long count() { return ++calls; }
