// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chemistry, spins, PRK's star and grids of several levels, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::lattices {

using Out = double* __restrict;
using In = const double* __restrict;

STYLES_WIDE inline void reactRow(Out u2, Out v2, In u, In v, Index stride, Index n) {
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double uc = u[j], vc = v[j], reaction = uc * vc * vc;
        const double lu = u[j - stride] + u[j + stride] + u[j - 1] + u[j + 1] - 4 * uc;
        const double lv = v[j - stride] + v[j + stride] + v[j - 1] + v[j + 1] - 4 * vc;
        u2[j] = uc + 0.16 * lu + 0.03 * (1 - uc) - reaction;
        v2[j] = vc + 0.08 * lv + reaction - 0.09 * vc;
    }
}
inline Result react(Index n, long iterations) {
    std::vector<Rows> now, next;
    for (int k = 0; k < 2; ++k)
        for (std::vector<Rows>* each : {&now, &next})
            each->push_back(
                Rows(n, n, 0, 1, [k](Index i, Index j) { return 0.3 * start(i, j, k); }));
    const Index stride = now[0].stride;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i)
            reactRow(next[0][i], next[1][i], now[0][i], now[1][i], stride, n);
        finish(next[0][0]);
        std::swap(now, next);
    }
    watch.pause();
    return watch.stop(now[0].sum() + now[1].sum());
}

using Spins = int __attribute__((vector_size(64), aligned(4)));
constexpr Index spinLanes = 16;
inline Spins& spins(int* p) { return *reinterpret_cast<Spins*>(p); }
inline const Spins& spins(const int* p) { return *reinterpret_cast<const Spins*>(p); }

/// Sixteen spins at a time, of which every second one changes; neighbours of one row have the
/// other colour, so that they may be loaded after the ones before have been stored.
inline void turnRow(int* s, const int* above, const int* below, Index first, Index n) {
    Spins changes;
    for (int k = 0; k < spinLanes; ++k) changes[k] = (k + 1) % 2 == first % 2 ? -1 : 0;
    Index j = 1;
    Spins left = spins(s), here = spins(s + 1);
    for (; j + spinLanes < n; j += spinLanes) {
        const Spins behind = spins(s + j + spinLanes);
        const Spins right = __builtin_shufflevector(here, behind, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                    12, 13, 14, 15, 16);
        const Spins field = spins(above + j) + spins(below + j) + left + right;
        const Spins turned = field > 0 ? Spins{} + 1 : field < 0 ? Spins{} - 1 : -here;
        spins(s + j) = changes ? turned : here;
        left = __builtin_shufflevector(here, behind, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
                                       27, 28, 29, 30);
        here = behind;
    }
    for (j += j % 2 == first % 2 ? 0 : 1; j < n - 1; j += 2) {
        const int field = above[j] + below[j] + s[j - 1] + s[j + 1];
        s[j] = field > 0 ? 1 : field < 0 ? -1 : -s[j];
    }
}
inline Result turn(Index n, long iterations) {
    std::vector<int> s(std::size_t(n * n + 2 * spinLanes));
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) s[std::size_t(i * n + j)] = start(i, j) > 1 ? 1 : -1;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (int colour = 0; colour < 2; ++colour)
            for (Index i = 1; i < n - 1; ++i) {
                int* const row = s.data() + i * n;
                turnRow(row, row - n, row + n, 1 + (i + colour) % 2, n);
            }
        finish(s.data());
    }
    watch.pause();
    double sum = 1e4;
    for (int e : s) sum += e;
    return watch.stop(sum);
}

inline void starRow(double* c, const double* a, Index stride, Index n) {
    alongRow<2>(
        c, n, [=](Index j) { return pack(a + j); },
        [=](Index j, Pack before, Pack here, Pack behind) {
            const Pack near = pack(a + j + stride) - pack(a + j - stride) +
                              rightOf<1>(here, behind) - leftOf<1>(before, here);
            const Pack far = pack(a + j + 2 * stride) - pack(a + j - 2 * stride) +
                             rightOf<2>(here, behind) - leftOf<2>(before, here);
            return pack(c + j) + 0.25 * near + 0.125 * far;
        });
}
inline void star(double* c, const double* a, const double*, Index n, Index stride) {
    for (Index i = 2; i < n - 2; ++i) starRow(c + i * stride, a + i * stride, stride, n);
}

/// Sums of columns first; every second one becomes the middle of a point.
inline void coarse(double* c, const double* a, const double*, Index n, Index stride) {
    const auto mean = [](Pack l, Pack m, Pack r) { return 0.25 * (l + r) + 0.5 * m; };
    const Places isPoint = {-1, 0, -1, 0, -1, 0, -1, 0};
    for (Index i = 2; i < n - 2; i += 2) {
        const double* const from = a + i * stride;
        double* const to = c + i * stride;
        alongRow<2>(
            to, n,
            [&](Index j) {
                return mean(pack(from + j - stride), pack(from + j), pack(from + j + stride));
            },
            [&](Index j, Pack before, Pack here, Pack behind) {
                const Pack point = mean(leftOf<1>(before, here), here, rightOf<1>(here, behind));
                return isPoint ? point : pack(to + j);
            });
    }
}

}  // namespace styles::best::lattices
