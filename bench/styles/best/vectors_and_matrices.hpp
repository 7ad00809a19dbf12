// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices and vectors together, by hand.
#pragma once
#include "../../tile.hpp"
#include "packs.hpp"

namespace styles::best::vectors_and_matrices {

constexpr int width = 24, packs = width / lanes;

/// Both products in one sweep, eight rows at a time.
inline void bicg(double* c, const double* a, const double* b, Index n) {
    Pack p[packs], columns[packs] = {};
    for (Index j = 0; j < width; ++j) p[j / lanes][j % lanes] = start(j);
    Index i = 0;
    for (; i + lanes <= n; i += lanes) {
        Pack sums[lanes] = {};
        for (Index r = 0; r < lanes; ++r)
            for (int s = 0; s < packs; ++s) {
                const Pack row = pack(a + (i + r) * width + s * lanes);
                columns[s] += row * b[(i + r) * width];
                sums[r] += row * p[s];
            }
        transpose(sums);
        const Pack all = ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
                         ((sums[4] + sums[5]) + (sums[6] + sums[7]));
        for (Index r = 0; r < lanes; ++r) c[(i + r) * width] = all[r];
    }
    for (; i < n; ++i) {
        Pack sum = {};
        for (int s = 0; s < packs; ++s) {
            const Pack row = pack(a + i * width + s * lanes);
            columns[s] += row * b[i * width];
            sum += row * p[s];
        }
        c[i * width] = total(sum);
    }
    for (Index j = 1; j < width; ++j) c[j] = columns[j / lanes][j % lanes];
}

constexpr int depth = 16;
inline Result contract(Index n, long iterations) {
    using namespace bench;
    Rows w(depth, depth, depth, 0, [](Index s, Index p) { return start(s, p) / depth; });
    Rows a(n * depth, depth, depth, 0,
           [](Index r, Index q) { return start(r / depth, r % depth, q); });
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        for (Index r = 0; r < n * depth; r += tileRows) {
            alignas(64) double tile[tileRows * tileColumns] = {};
            multiplyTile<tileRows, 2>(tile, a[r], depth, 1, w[0], depth, depth);
            for (Index k = 0; k < tileRows; ++k)
                for (Index q = 0; q < depth; q += lanes)
                    pack(a[r + k] + q) = pack(tile + k * tileColumns + q);
        }
        finish(a[0]);
    }
    watch.pause();
    return watch.stop(a.sum());
}

inline void timesSparse(double* __restrict y, const int* __restrict first,
                        const int* __restrict column, const double* __restrict value,
                        const double* __restrict v, Index n) {
    int k = 0;
    for (Index i = 0; i < n; ++i) {
        const int end = first[i + 1];
        double sum = 0;
        for (; k < end; ++k) sum += value[k] * v[column[k]];
        y[i] = sum;
    }
}
inline Result compressed(Index n, long iterations) {
    Rows y(1, n), v = startedLine(n);
    std::vector<int> first, column;
    std::vector<double> value;
    for (Index i = 0; i < n; ++i) {
        first.push_back(int(value.size()));
        for (int e = 0; e < int(3 + i * 5 % 7); ++e) {
            column.push_back(int((i + e * e * 11) % n));
            value.push_back(start(i, e));
        }
    }
    first.push_back(int(value.size()));
    Watch watch;
    for (long it = 0; it < iterations; ++it) {
        timesSparse(y[0], first.data(), column.data(), value.data(), v[0], n);
        finish(y[0]);
        v[0][0] += 1e-3;
    }
    watch.pause();
    return watch.stop(y.sum());
}

}  // namespace styles::best::vectors_and_matrices
