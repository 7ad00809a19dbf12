// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three-parameter logistic model, and random numbers by key. Plain C++, used by q3.hpcpp and
// plain.cpp.
#pragma once

#include <cmath>
#include <cstdint>

// Probability of the right answer.
inline double probability(double discrimination, double difficulty, double guessing,
                          double ability) {
    const double e = std::exp(1.7 * discrimination * (ability - difficulty));
    return guessing + (1.0 - guessing) * e / (1.0 + e);
}

// A uniform number in [0, 1) for each key, so that the data do not depend on who draws them.
inline double uniform(std::uint64_t key) {
    key = (key + 1) * 0x9E3779B97F4A7C15u;
    key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9u;
    key = (key ^ (key >> 27)) * 0x94D049BB133111EBu;
    key ^= key >> 31;
    return double(key >> 11) * 0x1.0p-53;
}
