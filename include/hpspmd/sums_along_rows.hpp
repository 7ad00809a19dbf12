// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums along rows, of several rows at once: a matrix times a vector and its relatives. hpcc -O3
/// emits calls of sumsAlongRows(), or of joinedSumsAlongRows() where their order does not matter.

#include <hpspmd/rows.hpp>
#include <hpspmd/tiles.hpp>

namespace hpspmd::detail {

/// Packs that are added up side by side, so that an addition does not wait for the one before it.
inline constexpr int sumsAtOnce = 4;

/// The sum of the elements of a pack of type double.
template <class Pack>
double sumOfLanes(const Pack& pack) {
    constexpr int lanes = sizeof(Pack) / sizeof(double);
    double parts[lanes];
    for (int k = 0; k < lanes; ++k) parts[k] = pack[k];
#pragma GCC unroll 4
    for (int half = lanes / 2; half > 0; half /= 2)
#pragma GCC unroll 8
        for (int k = 0; k < half; ++k) parts[k] += parts[k + half];
    return parts[0];
}

/// Adds to the sums of rows i .. i + rows - 1 what fills `packs` packs of `bytes` for each, from k
/// on; returns the first k that is left.
template <int rows, int packs, int bytes, class Term>
[[gnu::always_inline]] inline Index addPacks(double (&sums)[rows], Index i, Index k, Index last,
                                             const Term& term) {
    using L = Lanes<double, bytes>;
    constexpr Index step = packs * L::count;
    if (k + step - 1 > last) return k;
    typename L::Pack partial[rows][packs] = {};
    for (; k + step - 1 <= last; k += step)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 4
            for (int p = 0; p < packs; ++p)
                partial[r][p] += term(i + r, PackOperand<bytes>{k + p * L::count});
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
        typename L::Pack all = partial[r][0];
        for (int p = 1; p < packs; ++p) all += partial[r][p];
        sums[r] += sumOfLanes(all);
    }
    return k;
}

/// The sums of rows i .. i + rows - 1.
template <bool isJoined, int rows, class Store, class Start, class Term>
[[gnu::always_inline]] inline void sumRows(Index i, Index first, Index last, const Store& store,
                                           const Start& start, const Term& term) {
    double sums[rows];
    for (int r = 0; r < rows; ++r) sums[r] = valueAt(start, i + r);
    Index k = first;
    if constexpr (isJoined) {
        if constexpr (rows < sumsAtOnce)
            k = addPacks<rows, sumsAtOnce / rows, packBytes>(sums, i, k, last, term);
        k = addPacks<rows, 1, packBytes>(sums, i, k, last, term);
        if constexpr (packBytes > 16) k = addPacks<rows, 1, packBytes / 2>(sums, i, k, last, term);
    }
    for (; k <= last; ++k)
#pragma GCC unroll 4
        for (int r = 0; r < rows; ++r) sums[r] += term(i + r, SingleOperand{k});
    for (int r = 0; r < rows; ++r) store(i + r, sums[r]);
}

template <bool isJoined, class Store, class Start, class Term>
[[gnu::always_inline]] inline void sumsOfRows(Index iFirst, Index iLast, Index first, Index last,
                                              const Store& store, const Start& start,
                                              const Term& term) {
    Index i = iFirst;
    for (; i + sumsAtOnce - 1 <= iLast; i += sumsAtOnce)
        sumRows<isJoined, sumsAtOnce>(i, first, last, store, start, term);
    for (; i <= iLast; ++i) sumRows<isJoined, 1>(i, first, last, store, start, term);
}

/// For i in iFirst .. iLast: store(i, sum), where sum is `start`, a number or a function of i, plus
/// term(i, operands of k) of each k in first .. last, in their order. What several rows read is
/// loaded once for all of them.
template <class Store, class Start, class Term>
void sumsAlongRows(Index iFirst, Index iLast, Index first, Index last, const Store& store,
                   const Start& start, const Term& term) {
    sumsOfRows<false>(iFirst, iLast, first, last, store, start, term);
}

/// The same with partial sums that are joined afterwards.
template <class Store, class Start, class Term>
void joinedSumsAlongRows(Index iFirst, Index iLast, Index first, Index last, const Store& store,
                         const Start& start, const Term& term) {
    sumsOfRows<true>(iFirst, iLast, first, last, store, start, term);
}

}  // namespace hpspmd::detail
