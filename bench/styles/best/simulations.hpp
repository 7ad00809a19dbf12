// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves, water and automata in two dimensions, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::simulations {

using Out = double* __restrict;
using In = const double* __restrict;

/// In place: only the own element of the step before the last is needed.
STYLES_WIDE inline void waveRow(Out old, In now, Index stride, Index n) {
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j)
        old[j] = 1.6 * now[j] - old[j] +
                 0.1 * ((now[j - stride] + now[j + stride]) + (now[j - 1] + now[j + 1]));
}
inline Result wave(Index n, long iterations) {
    Rows a = startedGrid(n), b = startedGrid(n);
    Rows *old = &a, *now = &b;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i) waveRow((*old)[i], (*now)[i], a.stride, n);
        finish((*old)[0]);
        std::swap(old, now);
    }
    watch.pause();
    return watch.stop(now->sum());
}

struct Water {
    double *h, *u, *v;
};
STYLES_WIDE inline void waterRow(Water to, Water from, Index stride, Index n) {
    constexpr double dt = 0.001;
    Out h2 = to.h, u2 = to.u, v2 = to.v;
    In h = from.h, u = from.u, v = from.v;
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double south = h[j + stride], north = h[j - stride], east = h[j + 1], west = h[j - 1];
        h2[j] = h[j] - dt * (south * u[j + stride] - north * u[j - stride] + east * v[j + 1] -
                             west * v[j - 1]);
        u2[j] = u[j] - dt * (south - north);
        v2[j] = v[j] - dt * (east - west);
    }
}
inline Result water(Index n, long iterations) {
    const auto height = [](Index i, Index j) { return 1 + 0.01 * start(i, j); };
    std::vector<Rows> now, next;
    for (std::vector<Rows>* each : {&now, &next}) {
        each->push_back(Rows(n, n, 0, 1, height));
        for (int k = 0; k < 2; ++k) each->push_back(Rows(n, n, 0, 1));
    }
    const Index stride = now[0].stride;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i)
            waterRow({next[0][i], next[1][i], next[2][i]}, {now[0][i], now[1][i], now[2][i]},
                     stride, n);
        finish(next[0][0]);
        std::swap(now, next);
    }
    watch.pause();
    return watch.stop(now[0].sum() + now[1].sum());
}

/// Sums of columns first, then the three beside each other.
STYLES_WIDE inline void lifeRow(int* __restrict next, const int* __restrict now, Index n,
                                int* __restrict column) {
#pragma omp simd
    for (Index j = 0; j < n; ++j) column[j] = now[j - n] + now[j] + now[j + n];
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const int count = column[j - 1] + column[j] + column[j + 1] - now[j];
        next[j] = (count | now[j]) == 3;
    }
}
inline Result life(Index n, long iterations) {
    std::vector<int> now(std::size_t(n * n)), next = now, column(now.size());
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) now[std::size_t(i * n + j)] = start(i, j) > 1.1;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i)
            lifeRow(next.data() + i * n, now.data() + i * n, n, column.data());
        finish(next.data());
        std::swap(now, next);
    }
    watch.pause();
    double sum = 0;
    for (int e : now) sum += e;
    return watch.stop(sum);
}

}  // namespace styles::best::simulations
