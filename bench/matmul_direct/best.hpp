// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Register tiles over panels of the right matrix that lie side by side in memory.
#pragma once
#include <algorithm>

#include "../tile.hpp"

/// `rows` rows of c = a b, n columns and products.
inline void multiply(double* c, const double* a, const double* b, long rows, long n) {
    using namespace bench;
    static Storage panel;
    static long size = 0;
    if (size < n) panel = zeros((size = n) * tileColumns);
    for (long j = 0; j < n; j += tileColumns) {
        const long columns = std::min(tileColumns, n - j);
        for (long k = 0; k < n; ++k)
            for (long s = 0; s < tileColumns; ++s)
                panel.get()[k * tileColumns + s] = s < columns ? b[k * n + j + s] : 0.0;
        for (long i = 0; i < rows; i += tileRows) {
            const long height = std::min(tileRows, rows - i);
            alignas(64) double tile[tileRows * tileColumns] = {};
            multiplyTile(height, columns, tile, a + i * n, n, 1, panel.get(), tileColumns, n);
            for (long r = 0; r < height; ++r)
                for (long s = 0; s < columns; ++s)
                    c[(i + r) * n + j + s] = tile[r * tileColumns + s];
        }
    }
}
