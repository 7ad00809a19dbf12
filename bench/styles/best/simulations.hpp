// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waves, water and automata in two dimensions, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::simulations {

/// In place: only the own element of the step before the last is needed.
inline void waveRow(double* old, const double* now, Index stride, Index n) {
    alongRow<1>(
        old, n, [=](Index j) { return pack(now + j); },
        [=](Index j, Pack before, Pack here, Pack behind) {
            const Pack across = leftOf<1>(before, here) + rightOf<1>(here, behind);
            const Pack around = pack(now + j - stride) + pack(now + j + stride) + across;
            return 1.6 * here - pack(old + j) + 0.1 * around;
        });
}
inline Result wave(Index n, long iterations) {
    Rows a = startedRows(n, n), b = startedRows(n, n);
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
struct Across {
    Pack h, v;
};
inline void waterRow(Water to, Water from, Index stride, Index n) {
    constexpr double dt = 0.001;
    const double *h = from.h, *u = from.u, *v = from.v;
    alongRow<1>(
        to.h, n,
        [=](Index j) {
            return Across{pack(h + j), pack(v + j)};
        },
        [=](Index j, const Across& before, const Across& here, const Across& behind) {
            const Pack south = pack(h + j + stride), north = pack(h + j - stride);
            const Pack east = rightOf<1>(here.h, behind.h), west = leftOf<1>(before.h, here.h);
            put(to.u, j, 1, n - 1, pack(u + j) - dt * (south - north));
            put(to.v, j, 1, n - 1, here.v - dt * (east - west));
            return here.h -
                   dt * (south * pack(u + j + stride) - north * pack(u + j - stride) +
                         east * rightOf<1>(here.v, behind.v) - west * leftOf<1>(before.v, here.v));
        });
}
inline Result water(Index n, long iterations) {
    const auto height = [](Index i, Index j) { return 1 + 0.01 * start(i, j); };
    std::vector<Rows> now, next;
    for (std::vector<Rows>* each : {&now, &next}) {
        each->push_back(Rows(n, n, 0, 0, height));
        for (int k = 0; k < 2; ++k) each->push_back(Rows(n, n));
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
inline void lifeRow(int* next, const int* now, Index n) {
    const auto column = [=](Index j) {
        return ints(now + j - n) + ints(now + j) + ints(now + j + n);
    };
    Ints before = column(0), here = before;
    for (Index j = 0; j < n; j += intLanes) {
        const Ints behind = column(j + intLanes), own = ints(now + j);
        const Ints count = leftOf(before, here) + here + rightOf(here, behind) - own;
        const Ints lives = ((count | own) == 3) & 1;
        if (j > 0 && j + intLanes < n)
            ints(next + j) = lives;
        else
            for (Index k = j > 0 ? 0 : 1; k < intLanes && j + k < n - 1; ++k)
                next[j + k] = lives[k];
        before = here;
        here = behind;
    }
}
inline Result life(Index n, long iterations) {
    std::vector<int> now(std::size_t(n * n + 2 * intLanes)), next = now;
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) now[std::size_t(i * n + j)] = start(i, j) > 1.1;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i) lifeRow(next.data() + i * n, now.data() + i * n, n);
        finish(next.data());
        std::swap(now, next);
    }
    watch.pause();
    double sum = 0;
    for (int e : now) sum += e;
    return watch.stop(sum);
}

}  // namespace styles::best::simulations
