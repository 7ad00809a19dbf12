// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over vectors, by hand.
#pragma once
#include "mathematics.hpp"
#include "packs.hpp"

namespace styles::best::vectors {

using Out = double* __restrict;
using In = const double* __restrict;

STYLES_WIDE inline void triad(Out y, In a, In b, In, Index n) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) y[i] = a[i] + 0.4 * b[i];
}
STYLES_WIDE inline void state(Out y, In u, In z, In w, Index n) {
    constexpr double q = 0.5, r = 0.25, t = 0.125;
#pragma omp simd
    for (Index i = 0; i < n - 6; ++i)
        y[i] = u[i] + r * (z[i] + r * w[i]) +
               t * (u[i + 3] + r * (u[i + 2] + r * u[i + 1]) +
                    t * (u[i + 6] + q * (u[i + 5] + q * u[i + 4])));
}
STYLES_WIDE inline void differences(Out y, In a, In, In, Index n) {
#pragma omp simd
    for (Index i = 0; i < n - 1; ++i) y[i] = a[i + 1] - a[i];
}
STYLES_WIDE inline void polynomial(Out y, In a, In, In, Index n) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) {
        const double v = a[i];
        y[i] =
            ((((((0.004 * v - 0.02) * v + 0.01) * v + 0.05) * v - 0.1) * v + 0.3) * v - 0.5) * v +
            1;
    }
}
STYLES_WIDE inline void planck(Out y, In a, In b, In c, Index n) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) y[i] = c[i] / (manyExp(a[i] / b[i]) - 1);
}
STYLES_WIDE inline void taps(Out y, In a, In, In, Index n) {
#pragma omp simd
    for (Index i = 2; i < n - 2; ++i)
        y[i] = 0.1 * (a[i - 2] + a[i + 2]) + 0.2 * (a[i - 1] + a[i + 1]) + 0.4 * a[i];
}
STYLES_WIDE inline void chain(Out y, In a, In b, In c, Index n) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) {
        const double ar = a[i], br = ar - b[i], cr = br - c[i], dr = cr - ar * 0.5;
        y[i] = ar + br + cr + dr;
    }
}

}  // namespace styles::best::vectors
