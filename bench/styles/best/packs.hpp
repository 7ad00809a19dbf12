// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight numbers at a time: sums of them, choices, and rows that become columns.
#pragma once
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "shapes.hpp"

namespace styles::best {

using bench::chosen;
using Places = long __attribute__((vector_size(64)));

/// Sixteen of a smaller kind.
using Ints = int __attribute__((vector_size(64), aligned(4)));
constexpr Index intLanes = 16;
inline Ints& ints(int* p) { return *reinterpret_cast<Ints*>(p); }
inline const Ints& ints(const int* p) { return *reinterpret_cast<const Ints*>(p); }
/// The sixteen that begin one place to the left of `here`, or to the right.
inline Ints leftOf(Ints before, Ints here) {
    return chosen(before, here,
                  Ints{15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30});
}
inline Ints rightOf(Ints here, Ints behind) {
    return chosen(here, behind, Ints{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
}

inline Pack all(double v) { return Pack{} + v; }
#if defined(__AVX512F__)
inline Pack least(Pack u, Pack v) { return Pack(_mm512_min_pd(__m512d(u), __m512d(v))); }
inline Pack most(Pack u, Pack v) { return Pack(_mm512_max_pd(__m512d(u), __m512d(v))); }
inline Pack root(Pack p) { return Pack(_mm512_sqrt_pd(__m512d(p))); }
#else
inline Pack least(Pack u, Pack v) { return u < v ? u : v; }
inline Pack most(Pack u, Pack v) { return u > v ? u : v; }
inline Pack root(Pack p) {
    for (Index k = 0; k < lanes; ++k) p[k] = std::sqrt(p[k]);
    return p;
}
#endif
inline double total(Pack p) {
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/// The eight numbers that begin `by` places to the left of `here`, or to the right, of packs beside
/// each other.
template <int by>
inline Pack leftOf(Pack before, Pack here) {
    return chosen(before, here,
                  Places{8 - by, 9 - by, 10 - by, 11 - by, 12 - by, 13 - by, 14 - by, 15 - by});
}
template <int by>
inline Pack rightOf(Pack here, Pack behind) {
    return chosen(here, behind, Places{by, by + 1, by + 2, by + 3, by + 4, by + 5, by + 6, by + 7});
}
/// The lanes of a pack of columns from j on that are columns `first` .. `end - 1`.
inline Places within(Index j, Index first, Index end) {
    const Places columns = Places{0, 1, 2, 3, 4, 5, 6, 7} + j;
    return (columns >= first) & (columns < end);
}
/// Writes those of eight numbers from column j on that are in columns `first` .. `end - 1`.
inline void put(double* row, Index j, Index first, Index end, Pack p) {
    if (j >= first && j + lanes <= end)
        pack(row + j) = p;
    else
        pack(row + j) = within(j, first, end) ? p : pack(row + j);
}
/// Writes a row of n numbers without its rim: `across` of j and what `column` makes of the places
/// before, at and behind j, each of them computed once. Rows begin on cache lines.
template <int rim, class Column, class Across>
inline void alongRow(double* to, Index n, Column column, Across across) {
    auto before = column(0), here = before;
    for (Index j = 0; j < n; j += lanes) {
        const auto behind = column(j + lanes);
        put(to, j, rim, n - rim, across(j, before, here, behind));
        before = here;
        here = behind;
    }
}

/// Makes the packs of eight rows those of eight columns.
inline void transpose(Pack* p) {
    Pack q[8];
    for (int r = 0; r < 8; r += 2) {
        q[r] = chosen(p[r], p[r + 1], Places{0, 8, 2, 10, 4, 12, 6, 14});
        q[r + 1] = chosen(p[r], p[r + 1], Places{1, 9, 3, 11, 5, 13, 7, 15});
    }
    for (int r = 0; r < 8; r += 4)
        for (int s = r; s < r + 2; ++s) {
            p[s] = chosen(q[s], q[s + 2], Places{0, 1, 8, 9, 4, 5, 12, 13});
            p[s + 2] = chosen(q[s], q[s + 2], Places{2, 3, 10, 11, 6, 7, 14, 15});
        }
    for (int s = 0; s < 4; ++s) {
        q[s] = chosen(p[s], p[s + 4], Places{0, 1, 2, 3, 8, 9, 10, 11});
        q[s + 4] = chosen(p[s], p[s + 4], Places{4, 5, 6, 7, 12, 13, 14, 15});
    }
    for (int r = 0; r < 8; ++r) p[r] = q[r];
}
/// columns[k] is the k-th number of each of eight rows of m, m a multiple of eight.
inline void load(Pack* columns, const double* rows, Index m) {
    for (Index k = 0; k < m; k += lanes) {
        Pack p[lanes];
        for (Index r = 0; r < lanes; ++r) p[r] = pack(rows + r * m + k);
        transpose(p);
        for (Index r = 0; r < lanes; ++r) columns[k + r] = p[r];
    }
}
inline void store(double* rows, const Pack* columns, Index m) {
    for (Index k = 0; k < m; k += lanes) {
        Pack p[lanes];
        for (Index r = 0; r < lanes; ++r) p[r] = columns[k + r];
        transpose(p);
        for (Index r = 0; r < lanes; ++r) pack(rows + r * m + k) = p[r];
    }
}
/// Calls `apply(first)` for the first of each eight of at least eight rows; the last eight may be
/// some of those before.
template <class Apply>
void byEights(Index rows, Apply apply) {
    for (Index i = 0; i < rows; i += lanes) apply(std::min(i, rows - lanes));
}

}  // namespace styles::best
