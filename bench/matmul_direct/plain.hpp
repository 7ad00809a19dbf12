// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The straightforward loops.
#pragma once

/// `rows` rows of c = a b, n columns and products.
inline void multiply(double* c, const double* a, const double* b, long rows, long n) {
    for (long i = 0; i < rows; ++i)
        for (long j = 0; j < n; ++j) {
            double sum = 0;
            for (long k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}
