// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows as functions: restricted pointers, independent iterations; from memory, the row below is
// fetched ahead.
#pragma once

static void relaxRow(double* __restrict row, const double* __restrict above,
                     const double* __restrict below, long first, long last) {
#pragma GCC ivdep
    for (long j = first; j <= last; j += 2)
        row[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
}

static void relaxFarRow(double* __restrict row, const double* __restrict above,
                        const double* __restrict below, long first, long last) {
    constexpr long piece = 64, ahead = 256;  // elements
    for (long j = first; j <= last; j += piece) {
        for (long k = 0; k < piece; k += 8) __builtin_prefetch(below + j + ahead + k);
        relaxRow(row, above, below, j, j + piece - 1 < last ? j + piece - 1 : last);
    }
}

/// One sweep over the local rows low .. high of n columns; row 0 is row `first` of the matrix.
inline void relax(double* p, long n, long low, long high, long first, long it) {
    const auto row = n * (high - low) > 1000000 ? relaxFarRow : relaxRow;
    for (long i = low; i <= high; ++i)
        row(p + i * n, p + (i - 1) * n, p + (i + 1) * n, 1 + (i + first + it) % 2, n - 2);
}
