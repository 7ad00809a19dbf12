// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The straightforward loop.
#pragma once

constexpr bool isAligned = false;

/// One step of the local planes low .. high; rows of n lie `row` apart, planes `plane`.
inline void diffuse(double* to, const double* from, long n, long row, long plane, long low,
                    long high) {
    const double c = 0.1;
    for (long i = low; i <= high; ++i)
        for (long j = 1; j < n - 1; ++j)
            for (long k = 1; k < n - 1; ++k) {
                const long e = i * plane + j * row + k;
                to[e] = from[e] + c * (from[e - plane] + from[e + plane] + from[e - row] +
                                       from[e + row] + from[e - 1] + from[e + 1] - 6.0 * from[e]);
            }
}
