// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The straightforward loop.
#pragma once
#include <cmath>

constexpr bool isAligned = false;

/// One sweep of the local rows low .. high, which lie `pitch` apart; the largest change.
inline double sweep(double* to, const double* from, long n, long pitch, long low, long high) {
    double worst = 0;
    for (long i = low; i <= high; ++i)
        for (long j = 1; j < n - 1; ++j) {
            const long e = i * pitch + j;
            to[e] = 0.25 * (from[e - pitch] + from[e + pitch] + from[e - 1] + from[e + 1]);
            worst = std::fmax(worst, std::fabs(to[e] - from[e]));
        }
    return worst;
}
