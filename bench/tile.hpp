// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A register tile: 24 accumulators of eight numbers, for products of matrices.
#pragma once
#include "bench.hpp"

namespace bench {

constexpr long tileRows = 8, tilePacks = 3, tileColumns = 8 * tilePacks;

/// c[r][s] += sum over k of a[r * rowStep + k * step] * b[k * pitch + s] for Rows rows and Packs *
/// 8 columns; c has rows of tileColumns.
template <long Rows, long Packs>
inline void multiplyTile(double* c, const double* a, long rowStep, long step, const double* b,
                         long pitch, long count) {
    Pack sum[Rows][Packs] = {};
    for (long k = 0; k < count; ++k) {
        Pack row[Packs];
        for (long s = 0; s < Packs; ++s) row[s] = pack(b + k * pitch + 8 * s);
        for (long r = 0; r < Rows; ++r)
            for (long s = 0; s < Packs; ++s) sum[r][s] += a[r * rowStep + k * step] * row[s];
    }
    for (long r = 0; r < Rows; ++r)
        for (long s = 0; s < Packs; ++s) pack(c + r * tileColumns + 8 * s) += sum[r][s];
}

/// The same for 1 .. tileRows rows and 1 .. tileColumns columns, rounded up to packs.
template <long Rows = tileRows>
inline void multiplyTile(long rows, long columns, double* c, const double* a, long rowStep,
                         long step, const double* b, long pitch, long count) {
    if constexpr (Rows > 1)
        if (rows < Rows)
            return multiplyTile<Rows - 1>(rows, columns, c, a, rowStep, step, b, pitch, count);
    if (columns <= 8) return multiplyTile<Rows, 1>(c, a, rowStep, step, b, pitch, count);
    if (columns <= 16) return multiplyTile<Rows, 2>(c, a, rowStep, step, b, pitch, count);
    return multiplyTile<Rows, 3>(c, a, rowStep, step, b, pitch, count);
}

}  // namespace bench
