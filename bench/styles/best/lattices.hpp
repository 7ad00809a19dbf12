// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chemistry, spins, PRK's star and grids of several levels, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::lattices {

struct Both {
    Pack u, v;
};
inline void reactRow(double* u2, double* v2, const double* u, const double* v, Index stride,
                     Index n) {
    const auto spread = [=](const double* at, Pack before, Pack here, Pack behind) {
        const Pack columns = pack(at - stride) + pack(at + stride);
        return columns + leftOf<1>(before, here) + rightOf<1>(here, behind) - 4 * here;
    };
    alongRow<1>(
        u2, n,
        [=](Index j) {
            return Both{pack(u + j), pack(v + j)};
        },
        [=](Index j, const Both& before, const Both& here, const Both& behind) {
            const Pack reaction = here.u * here.v * here.v;
            const Pack lu = spread(u + j, before.u, here.u, behind.u);
            const Pack lv = spread(v + j, before.v, here.v, behind.v);
            put(v2, j, 1, n - 1, here.v + 0.08 * lv + reaction - 0.09 * here.v);
            return here.u + 0.16 * lu + 0.03 * (1 - here.u) - reaction;
        });
}
inline Result react(Index n, long iterations) {
    std::vector<Rows> now, next;
    for (int k = 0; k < 2; ++k)
        for (std::vector<Rows>* each : {&now, &next})
            each->push_back(
                Rows(n, n, 0, 0, [k](Index i, Index j) { return 0.3 * start(i, j, k); }));
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

/// Sixteen spins at a time, of which every second one changes; neighbours of one row have the
/// other colour, so that those to the left may come from what has been before.
inline void turnRow(int* s, const int* above, const int* below, Index first, Index n) {
    Ints changes;
    for (int k = 0; k < intLanes; ++k) changes[k] = (k + 1) % 2 == first % 2 ? -1 : 0;
    Index j = 1;
    Ints left = ints(s), here = ints(s + 1);
    for (; j + intLanes < n; j += intLanes) {
        const Ints behind = ints(s + j + intLanes);
        const Ints field = ints(above + j) + ints(below + j) + left + rightOf(here, behind);
        const Ints turned = field > 0 ? Ints{} + 1 : field < 0 ? Ints{} - 1 : -here;
        ints(s + j) = changes ? turned : here;
        left = leftOf(here, behind);
        here = behind;
    }
    for (j += j % 2 == first % 2 ? 0 : 1; j < n - 1; j += 2) {
        const int field = above[j] + below[j] + s[j - 1] + s[j + 1];
        s[j] = field > 0 ? 1 : field < 0 ? -1 : -s[j];
    }
}
inline Result turn(Index n, long iterations) {
    std::vector<int> s(std::size_t(n * n + 2 * intLanes));
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
