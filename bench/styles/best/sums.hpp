// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of matrices, a matrix times a vector, and a temporary, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::sums {

using In = const double*;
constexpr int parts = 4;

inline double difference(In a, In b, Index n) {
    Pack worst[parts] = {};
    Index k = 0;
    for (; k + parts * lanes <= n; k += parts * lanes)
        for (int u = 0; u < parts; ++u) {
            const Pack d = pack(a + k + u * lanes) - pack(b + k + u * lanes);
            worst[u] = most(worst[u], most(d, -d));
        }
    double result = 0;
    for (; k < n; ++k) result = std::max(result, std::fabs(a[k] - b[k]));
    for (int u = 0; u < parts; ++u)
        for (Index l = 0; l < lanes; ++l) result = std::max(result, worst[u][l]);
    return result;
}
inline double product(In a, In b, Index n) {
    Pack sum[parts] = {};
    Index k = 0;
    for (; k + parts * lanes <= n; k += parts * lanes)
        for (int u = 0; u < parts; ++u) sum[u] += pack(a + k + u * lanes) * pack(b + k + u * lanes);
    double result = 0;
    for (; k < n; ++k) result += a[k] * b[k];
    for (int u = 0; u < parts; ++u) result += total(sum[u]);
    return result;
}
/// A number of two matrices, whose rows lie side by side.
template <Reduction apply>
Result summed(Index n, long iterations) {
    Rows a = startedRows(n, n, 0, n),
         b(n, n, n, 0, [](Index i, Index j) { return start(j, i, 1); });
    double total = 0;
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        total += apply(a[0], b[0], n * n);
        finish(&total);
        a[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(total);
}

/// Rows of a times v, `count` rows at once.
template <int count>
inline void timesRows(double* y, const double* a, const double* v, Index n, Index stride) {
    Pack sum[count] = {};
    Index k = 0;
    for (; k + lanes <= n; k += lanes)
        for (int r = 0; r < count; ++r) sum[r] += pack(a + r * stride + k) * pack(v + k);
    for (int r = 0; r < count; ++r) y[r] = total(sum[r]);
    for (; k < n; ++k)
        for (int r = 0; r < count; ++r) y[r] += a[r * stride + k] * v[k];
}
inline Result times(Index n, long iterations) {
    Rows a = startedRows(n, n), v = startedLine(n), y(1, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        Index i = 0;
        for (; i + 4 <= n; i += 4) timesRows<4>(y[0] + i, a[i], v[0], n, a.stride);
        for (; i < n; ++i) timesRows<1>(y[0] + i, a[i], v[0], n, a.stride);
        finish(y[0]);
    }
    watch.pause();
    return watch.stop(y.sum());
}

STYLES_WIDE inline void fluxStep(double* u, Index count) {
#pragma omp simd
    for (Index k = 0; k < count; ++k) u[k] -= 1e-3 * (0.5 * u[k] * u[k]);
}
inline Result flux(Index n, long iterations) {
    Rows u = startedRows(n, n, 0, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        fluxStep(u[0], n * n);
        finish(u[0]);
    }
    watch.pause();
    return watch.stop(u.sum());
}

}  // namespace styles::best::sums
