// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear algebra, by hand.
#pragma once
#include "../../matmul_direct/best.hpp"
#include "packs.hpp"

namespace styles::best::algebra {

/// y += the `count` rows of a, each times its number of v.
template <int count>
STYLES_WIDE inline void addRows(double* __restrict y, const double* __restrict a, Index stride,
                                const double* __restrict v, Index n) {
#pragma omp simd
    for (Index j = 0; j < n; ++j) {
        double sum = y[j];
        for (int r = 0; r < count; ++r) sum += a[r * stride + j] * v[r];
        y[j] = sum;
    }
}
inline Result mvt(Index n, long iterations) {
    Rows a = startedRows(n, n), v = startedLine(n), y(1, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        std::fill_n(y[0], n, 0.0);
        Index k = 0;
        for (; k + 8 <= n; k += 8) addRows<8>(y[0], a[k], a.stride, v[0] + k, n);
        for (; k < n; ++k) addRows<1>(y[0], a[k], a.stride, v[0] + k, n);
        finish(y[0]);
    }
    watch.pause();
    return watch.stop(y.sum());
}

/// One number of the product, of rows of both matrices.
inline double bothRows(const double* a, const double* b, const double* v, Index n) {
    constexpr int parts = 2;
    Pack first[parts] = {}, second[parts] = {};
    Index k = 0;
    for (; k + parts * lanes <= n; k += parts * lanes)
        for (int u = 0; u < parts; ++u) {
            const Pack factor = pack(v + k + u * lanes);
            first[u] += pack(a + k + u * lanes) * factor;
            second[u] += pack(b + k + u * lanes) * factor;
        }
    double result = total(1.5 * (first[0] + first[1]) + 1.2 * (second[0] + second[1]));
    for (; k < n; ++k) result += (1.5 * a[k] + 1.2 * b[k]) * v[k];
    return result;
}
inline Result gesummv(Index n, long iterations) {
    Rows a = startedRows(n, n), b = startedRows(n, n, 1), v = startedLine(n), y(1, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index i = 0; i < n; ++i) y[0][i] = bothRows(a[i], b[i], v[0], n);
        finish(y[0]);
    }
    watch.pause();
    return watch.stop(y.sum());
}

inline Result gemm(Index n, long iterations) {
    Rows a = startedRows(n, n, 0, n), c(n, n, n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        multiply(c[0], a[0], a[0], n, n);
        finish(c[0]);
    }
    watch.pause();
    return watch.stop(c.sum());
}

constexpr Index entries = 7;
/// Two rows at a time.
inline void timesSparse(double* __restrict y, const double* __restrict value,
                        const int* __restrict column, const double* __restrict v, Index n) {
    Index i = 0;
    for (; i + 2 <= n; i += 2, value += 2 * entries, column += 2 * entries) {
        double first = 0, second = 0;
        for (Index k = 0; k < entries; ++k) {
            first += value[k] * v[column[k]];
            second += value[entries + k] * v[column[entries + k]];
        }
        y[i] = first;
        y[i + 1] = second;
    }
    for (; i < n; ++i, value += entries, column += entries) {
        double sum = 0;
        for (Index k = 0; k < entries; ++k) sum += value[k] * v[column[k]];
        y[i] = sum;
    }
}
inline Result sparse(Index n, long iterations) {
    Rows value = startedRows(n, entries, 0, entries), v = startedLine(n), y(1, n);
    std::vector<int> column(std::size_t(n * entries));
    for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < entries; ++k)
            column[std::size_t(i * entries + k)] = int((i + k * k * 3 + k) % n);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        timesSparse(y[0], value[0], column.data(), v[0], n);
        finish(y[0]);
    }
    watch.pause();
    return watch.stop(y.sum());
}

}  // namespace styles::best::algebra
