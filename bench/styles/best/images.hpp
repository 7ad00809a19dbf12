// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Livermore loops, image filters and small kernels of data analysis, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::images {

using Out = double* __restrict;
using In = const double* __restrict;

STYLES_WIDE inline void clampRow(Out b, In a, Index n) {
#pragma omp simd
    for (Index j = 0; j < n; ++j) {
        const double v = 1.7 * a[j] - 0.4, low = v < 0.2 ? 0.2 : v;
        b[j] = low > 1 ? 1 : low;
    }
}
inline void clamp(double* b, const double* a, const double*, Index n, Index stride) {
    for (Index i = 0; i < n; ++i) clampRow(b + i * stride, a + i * stride, n);
}

inline void edgeRow(double* b, In above, In here, In below, Index n) {
    const auto pixels = [&](Index j) {
        const Pack left = pack(below + j - 1) - pack(above + j - 1);
        const Pack right = pack(below + j + 1) - pack(above + j + 1);
        const Pack down = left + right + 2 * (pack(below + j) - pack(above + j));
        const Pack across = (pack(above + j + 1) - pack(above + j - 1)) +
                            (pack(below + j + 1) - pack(below + j - 1)) +
                            2 * (pack(here + j + 1) - pack(here + j - 1));
        return root(down * down + across * across);
    };
    Index j = 1;
    for (; j + lanes < n; j += lanes) pack(b + j) = pixels(j);
    const Pack rest = pixels(j);
    for (Index k = 0; j + k < n - 1; ++k) b[j + k] = rest[k];
}
inline void edges(double* b, const double* a, const double*, Index n, Index stride) {
    for (Index i = 1; i < n - 1; ++i)
        edgeRow(b + i * stride, a + (i - 1) * stride, a + i * stride, a + (i + 1) * stride, n);
}

STYLES_WIDE inline void hydroRow(Out b, In a, Index n) {
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) b[j] = 0.5 + a[j] * (0.3 * a[j + 1] + 0.2 * a[j - 1]);
}
inline void hydro(double* b, const double* a, const double*, Index n, Index stride) {
    for (Index i = 1; i < n - 1; ++i) hydroRow(b + i * stride, a + i * stride, n);
}

/// A number for each row of m.
using OfRows = void (*)(double* y, const double* a, Index n);
template <OfRows apply, int m>
Result ofRows(Index n, long iterations) {
    Rows a = startedRows(n, m, 0, m), y(1, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        apply(y[0], a[0], n);
        finish(y[0]);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(y.sum());
}

STYLES_WIDE inline void grey(Out y, In a, Index n) {
#pragma omp simd
    for (Index i = 0; i < n; ++i)
        y[i] = 0.2126 * a[3 * i] + 0.7152 * a[3 * i + 1] + 0.0722 * a[3 * i + 2];
}

/// Eight rows at a time, a pack of each dimension.
inline void nearest(double* y, const double* a, Index n) {
    byEights(n, [=](Index i) {
        Pack p[8], nearest = all(1e30);
        load(p, a + 8 * i, 8);
        for (int c = 0; c < 4; ++c) {
            Pack distance = {};
            for (int k = 0; k < 8; ++k) {
                const Pack d = p[k] - (0.5 + 0.25 * c + 0.01 * k);
                distance += d * d;
            }
            nearest = least(nearest, distance);
        }
        pack(y + i) = nearest;
    });
}

inline void predict(double* y, const double* a, Index n) {
    constexpr double factor[13] = {1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3};
    for (Index i = 0; i < n; ++i, a += 13) {
        double sum[3] = {};
        for (int k = 0; k < 13; ++k) sum[k % 3] += factor[k] * a[k];
        y[i] = sum[0] + sum[1] + sum[2];
    }
}

}  // namespace styles::best::images
