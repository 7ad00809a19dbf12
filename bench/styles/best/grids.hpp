// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::grids {

using Out = double* __restrict;
using In = const double* __restrict;

STYLES_WIDE inline void smooth(Out b, In a, Index first, Index end) {
#pragma omp simd
    for (Index i = first; i < end; ++i) b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
}
/// Both sweeps, piece by piece, so that the second one finds what the first one has made.
inline Result line(Index n, long iterations) {
    constexpr Index piece = 1024;
    Rows a = startedLine(n, 0, 1), b = startedLine(n, 0, 1);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index first = 1; first < n - 1; first += piece) {
            const Index end = std::min(first + piece, n - 1);
            smooth(b[0], a[0], first, end);
            smooth(a[0], b[0], std::max<Index>(1, first - 2), end == n - 1 ? end : end - 2);
        }
        finish(a[0]);
    }
    watch.pause();
    return watch.stop(a.sum());
}

inline void heatColumn(double* b, const double* a, Index plane, Index row, Index n) {
    alongRow<1>(
        b, n, [=](Index k) { return pack(a + k); },
        [=](Index k, Pack before, Pack here, Pack behind) {
            const double* const at = a + k;
            const Pack planes = pack(at + plane) + pack(at - plane);
            const Pack rows = pack(at + row) + pack(at - row);
            const Pack columns = leftOf<1>(before, here) + rightOf<1>(here, behind);
            return 0.25 * here + 0.125 * (planes + rows + columns);
        });
}
inline Result heat(Index n, long iterations) {
    Rows a(n * n, n), b(n * n, n);
    for (Index r = 0; r < n * n; ++r)
        for (Index k = 0; k < n; ++k) a[r][k] = b[r][k] = start(r / n, r % n, k);
    Rows *now = &a, *next = &b;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i)
            for (Index j = 1; j < n - 1; ++j)
                heatColumn((*next)[i * n + j], (*now)[i * n + j], n * a.stride, a.stride, n);
        finish((*next)[0]);
        std::swap(now, next);
    }
    watch.pause();
    return watch.stop(now->sum());
}

STYLES_WIDE inline void windRow(Out q, In u, In wind, Index n) {
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double before = u[j] - u[j - 1], after = u[j + 1] - u[j];
        q[j] = u[j] - 0.1 * wind[j] * (wind[j] > 0 ? before : after);
    }
}
inline Result transport(Index n, long iterations) {
    Rows u = startedGrid(n), q = startedGrid(n);
    Rows wind(n, n, 0, 1, [](Index i, Index j) { return start(i, j, 3) - 1; });
    Rows *now = &u, *next = &q;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i) windRow((*next)[i], (*now)[i], wind[i], n);
        finish((*next)[0]);
        std::swap(now, next);
    }
    watch.pause();
    return watch.stop(now->sum());
}

/// One row of all populations: those of the rows above and below come as they are there.
struct GasRow {
    double *f0, *f1, *f2, *f3, *f4;
};
STYLES_WIDE inline void collide(GasRow to, GasRow from, Index n) {
    Out t0 = to.f0, t1 = to.f1, t2 = to.f2, t3 = to.f3, t4 = to.f4;
    In s0 = from.f0, s1 = from.f1, s2 = from.f2, s3 = from.f3, s4 = from.f4;
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double f0 = s0[j], f1 = s1[j], f2 = s2[j], f3 = s3[j - 1], f4 = s4[j + 1];
        const double mean = 0.08 * (f0 + f1 + f2 + f3 + f4);
        t0[j] = 0.6 * f0 + mean;
        t1[j] = 0.6 * f1 + mean;
        t2[j] = 0.6 * f2 + mean;
        t3[j] = 0.6 * f3 + mean;
        t4[j] = 0.6 * f4 + mean;
    }
}
inline Result gas(Index n, long iterations) {
    std::vector<Rows> now, next;
    for (int d = 0; d < 5; ++d) {
        now.push_back(startedGrid(n, d));
        next.push_back(startedGrid(n, d));
    }
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i)
            collide({next[0][i], next[1][i], next[2][i], next[3][i], next[4][i]},
                    {now[0][i], now[1][i - 1], now[2][i + 1], now[3][i], now[4][i]}, n);
        finish(next[0][0]);
        std::swap(now, next);
    }
    watch.pause();
    return watch.stop(now[1].sum() + now[4].sum());
}

}  // namespace styles::best::grids
