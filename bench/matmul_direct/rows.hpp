// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of the result, to which rows of the right matrix are added.
#pragma once

static void addRow(double* __restrict c, const double* __restrict b, double factor, long n) {
#pragma GCC ivdep
    for (long j = 0; j < n; ++j) c[j] += factor * b[j];
}

/// `rows` rows of c = a b, n columns and products.
inline void multiply(double* c, const double* a, const double* b, long rows, long n) {
    for (long i = 0; i < rows; ++i) {
        for (long j = 0; j < n; ++j) c[i * n + j] = 0;
        for (long k = 0; k < n; ++k) addRow(c + i * n, b + k * n, a[i * n + k], n);
    }
}
