// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No array of products: each is added to its sum at once.
#pragma once

static void addRow(double* __restrict sums, const double* __restrict diff, double factor, long n) {
#pragma GCC ivdep
    for (long j = 0; j < n; ++j) sums[j] += factor * diff[j];
}

/// sums[i][j] = sum over the examinees k of diff[k][i] * diff[k][j]
inline void sumProducts(double* sums, const double* diff, long examinees, long items) {
    for (long e = 0; e < items * items; ++e) sums[e] = 0;
    for (long k = 0; k < examinees; ++k)
        for (long i = 0; i < items; ++i)
            addRow(sums + i * items, diff + k * items, diff[k * items + i], items);
}
