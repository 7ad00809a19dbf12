// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters of images, by hand: what neighbours have in common is computed once.
#pragma once
#include "mathematics.hpp"
#include "packs.hpp"

namespace styles::best::filters {

using Out = double* __restrict;
using In = const double* __restrict;
constexpr Index widest = 1024;

/// A row between its neighbours.
struct Three {
    const double *above, *here, *below;
};
/// Calls `apply` with each row inside and a row of memory that it may use.
template <class Apply>
void byRows(double* c, const double* a, Index n, Index stride, Apply apply) {
    for (Index i = 1; i < n - 1; ++i) {
        const double* const here = a + i * stride;
        apply(c + i * stride, Three{here - stride, here, here + stride});
    }
}

STYLES_WIDE inline void gaussRow(Out c, Three a, Out column, Index n) {
    In above = a.above, here = a.here, below = a.below;
#pragma omp simd
    for (Index j = 0; j < n; ++j) column[j] = 0.25 * (above[j] + below[j]) + 0.5 * here[j];
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j)
        c[j] = 0.25 * (column[j - 1] + column[j + 1]) + 0.5 * column[j];
}
inline void gauss(double* c, const double* a, const double*, Index n, Index stride) {
    alignas(64) double column[widest];
    byRows(c, a, n, stride, [&](double* to, Three from) { gaussRow(to, from, column + 7, n); });
}

inline Pack middle(Pack u, Pack v, Pack w) { return most(least(u, v), least(most(u, v), w)); }
/// Of three columns in order, the middle of the largest of the least, the middle of the middle ones
/// and the least of the largest.
inline void median(double* c, const double* a, const double*, Index n, Index stride) {
    alignas(64) double low[widest], mid[widest], high[widest];
    byRows(c, a, n, stride, [&](double* to, Three from) {
        for (Index j = 0; j < n; j += lanes) {
            const Pack u = pack(from.above + j), v = pack(from.here + j), w = pack(from.below + j);
            const Pack less = least(u, v), more = most(u, v);
            pack(low + j) = least(less, w);
            pack(mid + j) = most(less, least(more, w));
            pack(high + j) = most(more, w);
        }
        const auto pixels = [&](Index j) {
            const Pack lows = most(pack(low + j - 1), most(pack(low + j), pack(low + j + 1)));
            const Pack mids = middle(pack(mid + j - 1), pack(mid + j), pack(mid + j + 1));
            const Pack highs = least(pack(high + j - 1), least(pack(high + j), pack(high + j + 1)));
            return middle(lows, mids, highs);
        };
        Index j = 1;
        for (; j + lanes < n; j += lanes) pack(to + j) = pixels(j);
        const Pack rest = pixels(j);
        for (Index k = 0; j + k < n - 1; ++k) to[j + k] = rest[k];
    });
}

STYLES_WIDE inline void erosionRow(Out c, Three a, Out column, Index n) {
    In above = a.above, here = a.here, below = a.below;
#pragma omp simd
    for (Index j = 0; j < n; ++j) {
        const double v = above[j] < below[j] ? above[j] : below[j];
        column[j] = v < here[j] ? v : here[j];
    }
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double v = column[j - 1] < column[j + 1] ? column[j - 1] : column[j + 1];
        c[j] = v < column[j] ? v : column[j];
    }
}
inline void erosion(double* c, const double* a, const double*, Index n, Index stride) {
    alignas(64) double column[widest];
    byRows(c, a, n, stride, [&](double* to, Three from) { erosionRow(to, from, column + 7, n); });
}

/// The weights of a row's pixels with those to the east, south-west, south and south-east of them,
/// which have the same weights with them.
struct Weights {
    double east[widest], southWest[widest], south[widest], southEast[widest];
};
STYLES_WIDE inline void weigh(Weights& w, In here, In below, Index n) {
    const double beside = std::exp(-0.5), across = std::exp(-1.0);
    Out east = w.east, southWest = w.southWest, south = w.south, southEast = w.southEast;
#pragma omp simd
    for (Index j = 0; j < n; ++j) {
        const double v = here[j], e = here[j + 1] - v, sw = below[j - 1] - v, s = below[j] - v,
                     se = below[j + 1] - v;
        east[j] = beside * manyExp(-4 * e * e);
        southWest[j] = across * manyExp(-4 * sw * sw);
        south[j] = beside * manyExp(-4 * s * s);
        southEast[j] = across * manyExp(-4 * se * se);
    }
}
STYLES_WIDE inline void bilateralRow(Out c, Three a, const Weights& w, const Weights& north,
                                     Index n) {
    In above = a.above, here = a.here, below = a.below;
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double nw = north.southEast[j - 1], no = north.south[j], ne = north.southWest[j + 1];
        const double we = w.east[j - 1], ea = w.east[j];
        const double sw = w.southWest[j], so = w.south[j], se = w.southEast[j];
        const double sum = nw * above[j - 1] + no * above[j] + ne * above[j + 1] +
                           we * here[j - 1] + here[j] + ea * here[j + 1] + sw * below[j - 1] +
                           so * below[j] + se * below[j + 1];
        c[j] = sum / (1 + ((nw + no) + (ne + we)) + ((ea + sw) + (so + se)));
    }
}
inline void bilateral(double* c, const double* a, const double*, Index n, Index stride) {
    static Weights weights[2];
    weigh(weights[0], a, a + stride, n);
    Index i = 1;
    byRows(c, a, n, stride, [&](double* to, Three from) {
        weigh(weights[i % 2], from.here, from.below, n);
        bilateralRow(to, from, weights[i % 2], weights[1 - i % 2], n);
        ++i;
    });
}

STYLES_WIDE inline void sharpenRow(Out c, Three a, Index n) {
    In above = a.above, here = a.here, below = a.below;
#pragma omp simd
    for (Index j = 1; j < n - 1; ++j) {
        const double v = 5 * here[j] - (above[j] + below[j]) - (here[j - 1] + here[j + 1]);
        const double kept = v < 0 ? 0 : v;
        c[j] = kept > 1 ? 1 : kept;
    }
}
inline void sharpen(double* c, const double* a, const double*, Index n, Index stride) {
    byRows(c, a, n, stride, [&](double* to, Three from) { sharpenRow(to, from, n); });
}

}  // namespace styles::best::filters
