// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The straightforward loops: the products of all examinees in an array of their own, then its sums.
#pragma once
#include "../bench.hpp"

/// sums[i][j] = sum over the examinees k of diff[k][i] * diff[k][j]
inline void sumProducts(double* sums, const double* diff, long examinees, long items) {
    const long pairs = items * items;
    static const bench::Storage storage = bench::zeros(examinees * pairs);
    double* const products = storage.get();
    for (long k = 0; k < examinees; ++k)
        for (long i = 0; i < items; ++i)
            for (long j = 0; j < items; ++j)
                products[k * pairs + i * items + j] = diff[k * items + i] * diff[k * items + j];
    for (long e = 0; e < pairs; ++e) sums[e] = 0;
    for (long k = 0; k < examinees; ++k)
        for (long e = 0; e < pairs; ++e) sums[e] += products[k * pairs + e];
}
