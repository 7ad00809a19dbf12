// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program for each element, by hand: eight elements at a time.
#pragma once
#include <cstdint>

#include "packs.hpp"

namespace styles::best::sampling {

using In = const double*;
constexpr int steps = 32;

/// Four steps of the tree in one sweep.
inline void tree(double* y, In price, In strike, In, Index n) {
    const double lowest = std::pow(1.02, -steps);
    constexpr int levels = 4;
    byEights(n, [=](Index i) {
        Pack v[steps + 1], s = pack(price + i) * lowest;
        for (int k = 0; k <= steps; ++k, s *= 1.02 * 1.02)
            v[k] = most(s - pack(strike + i), Pack{});
        for (int t = steps; t > 0; t -= levels) {
            Pack last[levels] = {};
            for (int k = 0; k <= t; ++k) {
                Pack here = v[k];
                for (int l = 0; l < levels; ++l) {
                    const Pack mean = 0.4995 * (last[l] + here);
                    last[l] = here;
                    here = mean;
                }
                if (k >= levels) v[k - levels] = here;
            }
        }
        pack(y + i) = v[0];
    });
}

inline void paths(double* y, In price, In strike, In, Index n) {
    using States = std::uint32_t __attribute__((vector_size(32)));
    constexpr int parts = 4;
    for (Index i = 0; i < n; i += parts * lanes) {
        const Index first = std::min(i, n - parts * lanes);
        States state[parts];
        Pack s[parts];
        for (int u = 0; u < parts; ++u) {
            state[u] = States{1, 2, 3, 4, 5, 6, 7, 8} + std::uint32_t(first + u * lanes);
            s[u] = pack(price + first + u * lanes);
        }
        for (int t = 0; t < steps; ++t)
            for (int u = 0; u < parts; ++u) {
                state[u] = state[u] * 1664525u + 1013904223u;
                s[u] *= 0.95 + 0.1 / (1 << 24) * __builtin_convertvector(state[u] >> 8, Pack);
            }
        for (int u = 0; u < parts; ++u)
            pack(y + first + u * lanes) = most(s[u] - pack(strike + first + u * lanes), Pack{});
    }
}

inline bool any(Places p) {
    long result = 0;
    for (Index k = 0; k < lanes; ++k) result |= p[k];
    return result != 0;
}

/// Counts the steps that numbers stay inside; asks after each four whether one still does.
inline void mandelbrot(double* c, In a, In b, Index n, Index stride) {
    constexpr int most = 40, parts = 2;
    const Index count = (n - 1) * stride + n;
    for (Index i = 0; i < count; i += parts * lanes) {
        Pack re[parts], im[parts], u[parts] = {}, v[parts] = {}, inside[parts] = {};
        Places isIn[parts];
        for (int p = 0; p < parts; ++p) {
            re[p] = 2 * pack(a + i + p * lanes) - 2.5;
            im[p] = pack(b + i + p * lanes) - 0.5;
            isIn[p] = Places{} - 1;
        }
        for (int k = 0; k < most; k += 4) {
            for (int l = 0; l < 4; ++l)
                for (int p = 0; p < parts; ++p) {
                    const Pack uu = u[p] * u[p], vv = v[p] * v[p];
                    isIn[p] &= uu + vv < 4;
                    inside[p] = isIn[p] ? inside[p] + 1 : inside[p];
                    v[p] = 2 * u[p] * v[p] + im[p];
                    u[p] = uu - vv + re[p];
                }
            if (!any(isIn[0] | isIn[1])) break;
        }
        for (int p = 0; p < parts; ++p) pack(c + i + p * lanes) = inside[p];
    }
}

inline void root(double* y, In a, In, In, Index n) {
    constexpr int parts = 2;
    for (Index i = 0; i < n; i += parts * lanes) {
        const Index first = std::min(i, n - parts * lanes);
        Pack r[parts], square[parts];
        for (int p = 0; p < parts; ++p) r[p] = square[p] = pack(a + first + p * lanes);
        Places isFar;
        do {
            isFar = Places{};
            for (int p = 0; p < parts; ++p) {
                const Pack before = r[p];
                r[p] = 0.5 * (before + square[p] / before);
                const Pack d = r[p] - before;
                isFar |= most(d, -d) > 1e-12;
            }
        } while (any(isFar));
        for (int p = 0; p < parts; ++p) pack(y + first + p * lanes) = r[p];
    }
}

}  // namespace styles::best::sampling
