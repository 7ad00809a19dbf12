// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows as functions: restricted pointers, independent iterations.
#pragma once

#ifndef ALIGNED
#define ALIGNED false
#endif
constexpr bool isAligned = ALIGNED;

static void diffuseRow(double* __restrict to, const double* __restrict from, long row, long plane,
                       long n) {
    const double c = 0.1;
#pragma GCC ivdep
    for (long k = 1; k < n - 1; ++k)
        to[k] = from[k] + c * (from[k - plane] + from[k + plane] + from[k - row] + from[k + row] +
                               from[k - 1] + from[k + 1] - 6.0 * from[k]);
}

/// One step of the local planes low .. high; rows of n lie `row` apart, planes `plane`.
inline void diffuse(double* to, const double* from, long n, long row, long plane, long low,
                    long high) {
    for (long i = low; i <= high; ++i)
        for (long j = 1; j < n - 1; ++j)
            diffuseRow(to + i * plane + j * row, from + i * plane + j * row, row, plane, n);
}
