// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs of eight elements, every second of which keeps its value; the neighbours to the left and to
// the right come from registers, since loads of what has just been stored in part are slow.
#pragma once
#include "../bench.hpp"

static void relaxRow(double* __restrict row, const double* __restrict above,
                     const double* __restrict below, long first, long last, bool isFar) {
    using Mask = long __attribute__((vector_size(64)));
    const Mask evens = {-1, 0, -1, 0, -1, 0, -1, 0}, odds = {0, -1, 0, -1, 0, -1, 0, -1};
    const auto single = [&](long j) {
        row[j] = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
    };
    long j = first;
    const long start = first + (8 - long(reinterpret_cast<unsigned long>(row + first) / 8 % 8)) % 8;
    if (start + 8 > last) {
        for (; j <= last; j += 2) single(j);
        return;
    }
    for (; j < start; j += 2) single(j);
    const Mask written = j == start ? evens : odds;
    bench::Pack before = bench::Pack{} + row[start - 1], here = bench::pack(row + start);
    long at = start;
    for (; at + 8 <= last; at += 8) {
        if (isFar) __builtin_prefetch(below + at + 256);
        const bench::Pack behind =
            at + 15 <= last + 1 ? bench::pack(row + at + 8) : bench::Pack{} + row[at + 8];
        const bench::Pack left = bench::chosen(before, here, Mask{7, 8, 9, 10, 11, 12, 13, 14});
        const bench::Pack right = bench::chosen(here, behind, Mask{1, 2, 3, 4, 5, 6, 7, 8});
        const bench::Pack sum = bench::pack(above + at) + bench::pack(below + at) + left + right;
        bench::pack(row + at) = written ? 0.25 * sum : here;
        before = here;
        here = behind;
    }
    for (j = at + (j - start) % 2; j <= last; j += 2) single(j);
}

/// One sweep over the local rows low .. high of n columns; row 0 is row `first` of the matrix.
inline void relax(double* p, long n, long low, long high, long first, long it) {
    const bool isFar = n * (high - low) > 1000000;
    for (long i = low; i <= high; ++i)
        relaxRow(p + i * n, p + (i - 1) * n, p + (i + 1) * n, 1 + (i + first + it) % 2, n - 2,
                 isFar);
}
