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
/// Calls `apply` with each row inside.
template <class Apply>
void byRows(double* c, const double* a, Index n, Index stride, Apply apply) {
    for (Index i = 1; i < n - 1; ++i) {
        const double* const here = a + i * stride;
        apply(c + i * stride, Three{here - stride, here, here + stride});
    }
}
/// Makes something of each three in a column, and again of three such ones in a row.
template <class Of>
inline void twice(double* c, const double* a, Index n, Index stride, Of of) {
    byRows(c, a, n, stride, [&](double* to, Three from) {
        alongRow<1>(
            to, n,
            [&](Index j) {
                return of(pack(from.above + j), pack(from.here + j), pack(from.below + j));
            },
            [&](Index, Pack before, Pack here, Pack behind) {
                return of(leftOf<1>(before, here), here, rightOf<1>(here, behind));
            });
    });
}
inline void gauss(double* c, const double* a, const double*, Index n, Index stride) {
    twice(c, a, n, stride, [](Pack l, Pack m, Pack r) { return 0.25 * (l + r) + 0.5 * m; });
}
inline void erosion(double* c, const double* a, const double*, Index n, Index stride) {
    twice(c, a, n, stride, [](Pack l, Pack m, Pack r) { return least(least(l, r), m); });
}

/// Three numbers in order.
struct Ordered {
    Pack low, mid, high;
};
inline Ordered ordered(Pack u, Pack v, Pack w) {
    const Pack less = least(u, v), more = most(u, v);
    return {least(less, w), most(less, least(more, w)), most(more, w)};
}
/// Of three columns in order, the middle of the largest of the least, the middle of the middle ones
/// and the least of the largest.
inline Pack middle(const Ordered& u, const Ordered& v, const Ordered& w) {
    const Pack lows = most(leftOf<1>(u.low, v.low), most(v.low, rightOf<1>(v.low, w.low)));
    const Pack highs = least(leftOf<1>(u.high, v.high), least(v.high, rightOf<1>(v.high, w.high)));
    const Ordered mids = ordered(leftOf<1>(u.mid, v.mid), v.mid, rightOf<1>(v.mid, w.mid));
    return ordered(lows, mids.mid, highs).mid;
}
inline void median(double* c, const double* a, const double*, Index n, Index stride) {
    byRows(c, a, n, stride, [&](double* to, Three from) {
        alongRow<1>(
            to, n,
            [&](Index j) {
                return ordered(pack(from.above + j), pack(from.here + j), pack(from.below + j));
            },
            [](Index, const Ordered& u, const Ordered& v, const Ordered& w) {
                return middle(u, v, w);
            });
    });
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

inline void sharpen(double* c, const double* a, const double*, Index n, Index stride) {
    byRows(c, a, n, stride, [&](double* to, Three from) {
        alongRow<1>(
            to, n, [&](Index j) { return pack(from.here + j); },
            [&](Index j, Pack before, Pack here, Pack behind) {
                const Pack across = leftOf<1>(before, here) + rightOf<1>(here, behind);
                const Pack around = pack(from.above + j) + pack(from.below + j) + across;
                return least(most(5 * here - around, Pack{}), all(1));
            });
    });
}

}  // namespace styles::best::filters
