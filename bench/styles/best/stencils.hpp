// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils in two dimensions, by hand.
#pragma once
#include "../../red_black/best.hpp"
#include "packs.hpp"

namespace styles::best::stencils {

using Out = double* __restrict;
using In = const double* __restrict;

STYLES_WIDE inline void relaxRow(Out b, In above, In here, In below, Index n) {
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j)
        b[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
}
inline Result jacobi(Index n, long iterations) {
    Rows a = startedGrid(n), b = startedGrid(n);
    double *old = a[0], *next = b[0];
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 1; i < n - 1; ++i) {
            const double* const here = old + i * a.stride;
            relaxRow(next + i * a.stride, here - a.stride, here, here + a.stride, n);
        }
        finish(next);
        std::swap(old, next);
    }
    watch.pause();
    return watch.stop(old == a[0] ? a.sum() : b.sum());
}

inline Pack weighted(Pack a, Pack b, Pack c, Pack d, Pack e) {
    return 0.1 * (a + e) + 0.2 * (b + d) + 0.4 * c;
}
/// The weighted sums of columns first, then those of them.
inline void boxRow(double* b, const double* a, Index stride, Index n) {
    alongRow<2>(
        b, n,
        [=](Index j) {
            const double* const at = a + j;
            return weighted(pack(at - 2 * stride), pack(at - stride), pack(at), pack(at + stride),
                            pack(at + 2 * stride));
        },
        [](Index, Pack before, Pack here, Pack behind) {
            return weighted(leftOf<2>(before, here), leftOf<1>(before, here), here,
                            rightOf<1>(here, behind), rightOf<2>(here, behind));
        });
}
inline Result box(Index n, long iterations) {
    Rows a = startedRows(n, n), b(n, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 2; i < n - 2; ++i) boxRow(b[i], a[i], a.stride, n);
        finish(b[0]);
    }
    watch.pause();
    return watch.stop(b.sum());
}

inline Result redBlack(Index n, long iterations) {
    Rows a = startedRows(n, n, 0, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        relax(a[0], n, 1, n - 2, 0, it);
        finish(a[0]);
    }
    watch.pause();
    return watch.stop(a.sum());
}

}  // namespace styles::best::stencils
