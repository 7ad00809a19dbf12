// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of published suites, by hand.
#pragma once
#include "mathematics.hpp"
#include "packs.hpp"

namespace styles::best::kernels {

using Out = double* __restrict;
using In = const double* __restrict;

STYLES_WIDE inline void price(Out value, In price, In strike, Index n) {
    const double rate = 0.02, volatility = 0.3, years = 1.5;
    const double deviation = volatility * std::sqrt(years), factor = std::exp(-rate * years);
    const double drift = (rate + 0.5 * volatility * volatility) * years;
    const double half = 0.70710678118654752;
#pragma omp simd
    for (Index k = 0; k < n; ++k) {
        const double up = (manyLog(price[k] / strike[k]) + drift) / deviation;
        const double later = strike[k] * factor;
        const double call =
            0.5 * (price[k] * manyErfc(-up * half) - later * manyErfc((deviation - up) * half));
        value[k] = 3 * call - 2 * price[k] + 2 * later;
    }
}
inline Result options(Index n, long iterations) {
    Rows prices = startedLine(n), strikes = startedLine(n, 1), value(1, n);
    for (Index k = 0; k < n; ++k) prices[0][k] *= 10, strikes[0][k] *= 10;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        price(value[0], prices[0], strikes[0], n);
        finish(value[0]);
    }
    watch.pause();
    return watch.stop(value.sum());
}

/// The forces on eight bodies from i on, of all n of them.
inline void forces(double* fx, double* fy, const double* x, const double* y, Index i, Index n) {
    const Pack xi = pack(x + i), yi = pack(y + i);
    Pack ax = {}, ay = {};
    for (Index j = 0; j < n; ++j) {
        const Pack dx = x[j] - xi, dy = y[j] - yi, d = dx * dx + dy * dy + 0.01;
        const Pack w = 1 / (d * root(d));
        ax += w * dx;
        ay += w * dy;
    }
    pack(fx + i) = ax;
    pack(fy + i) = ay;
}
inline Result bodies(Index n, long iterations) {
    Rows x = startedLine(n), y = startedLine(n, 1), fx(1, n), fy(1, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        byEights(n, [&](Index i) { forces(fx[0], fy[0], x[0], y[0], i, n); });
        finish(fx[0]);
    }
    watch.pause();
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += fx[0][i] * fx[0][i] + 2 * fy[0][i] * fy[0][i];
    return watch.stop(sum);
}

/// Paths of row d by way of each of `count` places, whose rows from `via` on are known.
template <int count>
inline void shorten(double* d, const double* via, Index k, Index stride, Index n) {
    double first[count];
    for (int c = 0; c < count; ++c) {
        first[c] = d[k + c];
        for (int e = 0; e < c; ++e)
            first[c] = std::min(first[c], first[e] + via[e * stride + k + c]);
    }
    for (Index j = 0; j < n; j += lanes) {
        Pack here = pack(d + j);
        for (int c = 0; c < count; ++c) here = least(here, first[c] + pack(via + c * stride + j));
        pack(d + j) = here;
    }
}
/// Several steps over k in one sweep over all rows; the rows of those steps before the others.
inline Result paths(Index n, long iterations) {
    constexpr int count = 8;
    Rows d = startedRows(n, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        Index k = 0;
        for (; k + count <= n; k += count) {
            for (int c = 0; c < count; ++c)
                for (int r = 0; r < count; ++r) shorten<1>(d[k + r], d[k + c], k + c, d.stride, n);
            for (Index i = 0; i < n; ++i)
                if (i < k || i >= k + count) shorten<count>(d[i], d[k], k, d.stride, n);
        }
        for (; k < n; ++k)
            for (Index i = 0; i < n; ++i) shorten<1>(d[i], d[k], k, d.stride, n);
        finish(d[0]);
    }
    watch.pause();
    return watch.stop(d.sum());
}

STYLES_WIDE inline void electricRow(Out ex, Out ey, In hz, In above, Index n) {
    ey[0] -= 0.5 * (hz[0] - above[0]);
#pragma omp simd
    for (Index j = 1; j < n; ++j) {
        ey[j] -= 0.5 * (hz[j] - above[j]);
        ex[j] -= 0.5 * (hz[j] - hz[j - 1]);
    }
}
STYLES_WIDE inline void magneticRow(Out hz, In ex, In ey, In below, Index n) {
#pragma omp simd
    for (Index j = 0; j < n - 1; ++j) hz[j] -= 0.007 * ((ex[j + 1] - ex[j]) + (below[j] - ey[j]));
}
/// The magnetic field follows one row behind the electric ones.
inline Result fields(Index n, long iterations) {
    Rows ex = startedRows(n, n), ey = startedRows(n, n), hz = startedRows(n, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index j = n - 1; j > 0; --j) ex[0][j] -= 0.5 * (hz[0][j] - hz[0][j - 1]);
        for (Index i = 1; i < n; ++i) {
            electricRow(ex[i], ey[i], hz[i], hz[i - 1], n);
            if (i > 1) magneticRow(hz[i - 2], ex[i - 2], ey[i - 2], ey[i - 1], n);
        }
        magneticRow(hz[n - 2], ex[n - 2], ey[n - 2], ey[n - 1], n);
        finish(hz[0]);
    }
    watch.pause();
    return watch.stop(hz.sum());
}

}  // namespace styles::best::kernels
