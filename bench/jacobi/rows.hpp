// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows as functions: restricted pointers, the largest change as a reduction of independent
// iterations.
#pragma once
#include <cmath>

#ifndef ALIGNED
#define ALIGNED false
#endif
constexpr bool isAligned = ALIGNED;

static double sweepRow(double* __restrict to, const double* __restrict from, long pitch, long n,
                       double worst) {
#pragma omp simd reduction(max : worst)
    for (long j = 1; j < n - 1; ++j) {
        const double value = 0.25 * (from[j - pitch] + from[j + pitch] + from[j - 1] + from[j + 1]);
        const double change = std::fabs(value - from[j]);
        to[j] = value;
        worst = change > worst ? change : worst;
    }
    return worst;
}

/// One sweep of the local rows low .. high, which lie `pitch` apart; the largest change.
inline double sweep(double* to, const double* from, long n, long pitch, long low, long high) {
    double worst = 0;
    for (long i = low; i <= high; ++i)
        worst = sweepRow(to + i * pitch, from + i * pitch, pitch, n, worst);
    return worst;
}
