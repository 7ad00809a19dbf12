// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Register tiles over pieces of the examinees that stay in a cache; of two items i and j only one
// order is computed. Reads up to a tile's width behind the last row.
#pragma once
#include <algorithm>

#include "../tile.hpp"

/// sums[i][j] = sum over the examinees k of diff[k][i] * diff[k][j]
inline void sumProducts(double* sums, const double* diff, long examinees, long items) {
    using namespace bench;
    constexpr long piece = 256;
    const long across = (items + tileColumns - 1) / tileColumns;
    const long down = (items + tileRows - 1) / tileRows;
    constexpr long size = tileRows * tileColumns;
    static const Storage storage = zeros(across * down * size);
    double* const tiles = storage.get();
    std::fill(tiles, tiles + across * down * size, 0.0);
    for (long first = 0; first < examinees; first += piece)
        for (long i = 0; i < items; i += tileRows)
            for (long j = i / tileColumns * tileColumns; j < items; j += tileColumns)
                multiplyTile(std::min(tileRows, items - i), std::min(tileColumns, items - j),
                             tiles + (i / tileRows * across + j / tileColumns) * size,
                             diff + first * items + i, 1, items, diff + first * items + j, items,
                             std::min(piece, examinees - first));
    for (long i = 0; i < items; ++i)
        for (long j = i; j < items; ++j)
            sums[i * items + j] = sums[j * items + i] =
                tiles[(i / tileRows * across + j / tileColumns) * size +
                      i % tileRows * tileColumns + j % tileColumns];
}
