// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The straightforward loop.
#pragma once

/// One sweep over the local rows low .. high of n columns; row 0 is row `first` of the matrix.
inline void relax(double* p, long n, long low, long high, long first, long it) {
    for (long i = low; i <= high; ++i)
        for (long j = 1 + (i + first + it) % 2; j <= n - 2; j += 2)
            p[i * n + j] = 0.25 * (p[(i - 1) * n + j] + p[(i + 1) * n + j] + p[i * n + j - 1] +
                                   p[i * n + j + 1]);
}
