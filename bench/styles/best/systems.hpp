// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of equations and updates of matrices, by hand.
#pragma once
#include "packs.hpp"

namespace styles::best::systems {

/// Rows of v from i on, in `packs` packs of columns: those before are known.
template <int rows, int packs>
inline void solveRows(double* v, const double* b, const double* l, Index i, Index stride) {
    Pack sum[rows][packs];
    for (int r = 0; r < rows; ++r)
        for (int s = 0; s < packs; ++s) sum[r][s] = pack(b + (i + r) * stride + s * lanes);
    for (Index k = 0; k < i; ++k)
        for (int s = 0; s < packs; ++s) {
            const Pack known = pack(v + k * stride + s * lanes);
            for (int r = 0; r < rows; ++r) sum[r][s] -= l[(i + r) * stride + k] * known;
        }
    for (int r = 0; r < rows; ++r) {
        const double* const row = l + (i + r) * stride + i;
        const double factor = 1 / row[r];
        for (int s = 0; s < packs; ++s) {
            for (int k = 0; k < r; ++k) sum[r][s] -= row[k] * sum[k][s];
            sum[r][s] *= factor;
            pack(v + (i + r) * stride + s * lanes) = sum[r][s];
        }
    }
}
template <int packs>
inline void solveColumns(double* v, const double* b, const double* l, Index n, Index stride) {
    Index i = 0;
    for (; i + 4 <= n; i += 4) solveRows<4, packs>(v, b, l, i, stride);
    for (; i < n; ++i) solveRows<1, packs>(v, b, l, i, stride);
}
inline Result solve(Index n, long iterations) {
    Rows b = startedRows(n, n, 1), v(n, n), l(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index k = 0; k <= i; ++k) l[i][k] = start(i, k) + (i == k ? 20 : 0);
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        Index j = 0;
        for (; j + 5 * lanes <= v.stride; j += 5 * lanes)
            solveColumns<5>(v[0] + j, b[0] + j, l[0], n, v.stride);
        for (; j + 3 * lanes <= v.stride; j += 3 * lanes)
            solveColumns<3>(v[0] + j, b[0] + j, l[0], n, v.stride);
        for (; j < v.stride; j += lanes) solveColumns<1>(v[0] + j, b[0] + j, l[0], n, v.stride);
        finish(v[0]);
        b[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(v.sum());
}

constexpr int order = 40;

/// Eight systems at a time.
inline void durbin(double* c, const double* a, const double*, Index n) {
    byEights(n, [=](Index i) {
        Pack r[order], y[order];
        load(r, a + i * order, order);
        for (Pack& each : r) each *= 0.02;
        Pack alpha = y[0] = -r[0], beta = all(1);
        for (int k = 1; k < order; ++k) {
            beta *= 1 - alpha * alpha;
            Pack sum[4] = {r[k]};
            int l = 0;
            for (; l + 4 <= k; l += 4)
                for (int u = 0; u < 4; ++u) sum[u] += r[k - l - u - 1] * y[l + u];
            for (; l < k; ++l) sum[0] += r[k - l - 1] * y[l];
            alpha = -((sum[0] + sum[1]) + (sum[2] + sum[3])) / beta;
            for (l = 0; l < k / 2; ++l) {
                const Pack left = y[l], right = y[k - l - 1];
                y[l] = left + alpha * right;
                y[k - l - 1] = right + alpha * left;
            }
            if (k % 2 == 1) y[k / 2] += alpha * y[k / 2];
            y[k] = alpha;
        }
        store(c + i * order, y, order);
    });
}

inline void update(double* c, const double* a, const double* b, Index n) {
    constexpr int packs = order / lanes;
    Pack v1[packs], v2[packs], w[packs];
    for (Index j = 0; j < order; ++j) {
        v1[j / lanes][j % lanes] = start(j);
        v2[j / lanes][j % lanes] = start(j, 1);
        w[j / lanes][j % lanes] = start(j, 2);
    }
    for (Index i = 0; i < n; ++i, a += order, b += order, c += order) {
        Pack sum = {};
        for (int s = 0; s < packs; ++s) {
            const Pack e = pack(a + s * lanes) + b[0] * v1[s] + b[1] * v2[s];
            pack(c + s * lanes) = e;
            sum += e * w[s];
        }
        c[0] = total(sum);
    }
}

inline void relaxRow(double* c, const double* a, const double* b, Index stride, Index n) {
    alongRow<1>(
        c, n, [=](Index j) { return pack(a + j); },
        [=](Index j, Pack before, Pack here, Pack behind) {
            const Pack columns = 0.2 * pack(a + j + stride) + 0.3 * pack(a + j - stride);
            const Pack across = 0.1 * rightOf<1>(here, behind) + 0.15 * leftOf<1>(before, here);
            return 0.825 * here + 0.175 * (columns + across + pack(b + j));
        });
}
inline void relax(double* c, const double* a, const double* b, Index n, Index stride) {
    for (Index i = 1; i < n - 1; ++i)
        relaxRow(c + i * stride, a + i * stride, b + i * stride, stride, n);
}

}  // namespace styles::best::systems
