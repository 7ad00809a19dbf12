// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums over the rows of a matrix, one for each column. hpcc -O3 emits calls of sumsOfColumns().

#include <hpspmd/sums_of_products.hpp>

#include <algorithm>

namespace hpspmd::detail {

/// Sums of `packs` packs of columns, from `column` on, `steps` steps one after the other.
template <int packs, int steps, class T, class Those>
[[gnu::always_inline]] inline void addToColumns(T* sums, Index column, Index j, Index k,
                                                const Those& those) {
    using L = Lanes<T>;
    typename L::Pack sum[packs];
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) sum[p] = L::load(sums + column + p * L::count);
#pragma GCC unroll 8
    for (int s = 0; s < steps; ++s)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p)
            sum[p] += those.value(those.row(k + s, PackOfRow<T>{j + column + p * L::count}), k + s);
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) L::store(sums + column + p * L::count, sum[p]);
}

/// Steps k .. k + steps - 1 of the sums of `count` columns from j on.
template <int steps, class T, class Those>
void addRows(T* sums, Index count, Index j, Index k, const Those& those) {
    constexpr Index lanes = Lanes<T>::count;
    constexpr int wide = 4;
    Index c = 0;
    for (; c + wide * lanes <= count; c += wide * lanes)
        addToColumns<wide, steps>(sums, c, j, k, those);
    for (; c + lanes <= count; c += lanes) addToColumns<1, steps>(sums, c, j, k, those);
    for (; c < count; ++c) those.addTo(sums[c], {k, k + steps - 1}, j + c);
}

/// sumsOfColumns() of `packs` packs of columns from j on, whose sums stay in registers.
template <int packs, class T, class Store, class Start, class Those>
[[gnu::always_inline]] inline void sumsInRegisters(Index j, const Span& all, const Store& store,
                                                   const Start& start, const Those& those) {
    using L = Lanes<T>;
    alignas(packBytes) T sums[packs * L::count];
    for (Index c = 0; c < packs * L::count; ++c) sums[c] = valueAt(start, j + c);
    typename L::Pack sum[packs];
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) sum[p] = L::load(sums + p * L::count);
#pragma GCC unroll 4
    for (Index k = all.first; k <= all.last; ++k)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p)
            sum[p] += those.value(those.row(k, PackOfRow<T>{j + p * L::count}), k);
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) L::store(sums + p * L::count, sum[p]);
    for (Index c = 0; c < packs * L::count; ++c) store(j + c, sums[c]);
}

/// sumsOfColumns() where there are few.
template <class T, class Store, class Start, class Those>
[[gnu::always_inline]] inline void sumsOfFewColumns(Index j, Index jLast, const Store& store,
                                                    const Start& start, const Those& those) {
    constexpr Index lanes = Lanes<T>::count;
    const Span all = those.steps(0);
    for (; j + 2 * lanes - 1 <= jLast; j += 2 * lanes)
        sumsInRegisters<2, T>(j, all, store, start, those);
    for (; j + lanes - 1 <= jLast; j += lanes) sumsInRegisters<1, T>(j, all, store, start, those);
    for (; j <= jLast; ++j) {
        T sum = valueAt(start, j);
        those.addTo(sum, all, j);
        store(j, sum);
    }
}

/// sumsOfColumns() of any number, with those of so many as fit the first cache at once.
template <class T, class Store, class Start, class Those>
void sumsOfManyColumns(Index jFirst, Index jLast, const Store& store, const Start& start,
                       const Those& those) {
    constexpr Index most = 512;
    constexpr int steps = 4;
    const Span all = those.steps(0);
    const Index rest = std::max<Index>(all.count(), 0) % steps;
    const Index single = std::max(all.last + 1, all.first) - rest;  // from here on one by one
    alignas(packBytes) T sums[most];
    for (Index j = jFirst; j <= jLast; j += most) {
        const Index count = std::min(most, jLast - j + 1);
        for (Index c = 0; c < count; ++c) sums[c] = valueAt(start, j + c);
        for (Index k = all.first; k < single; k += steps) addRows<steps>(sums, count, j, k, those);
        for (Index r = 0; r < rest; ++r) addRows<1>(sums, count, j, single + r, those);
        for (Index c = 0; c < count; ++c) store(j + c, sums[c]);
    }
}

/// For j in jFirst .. jLast: store(j, sum), where sum is what sumFrom() starts with plus what its
/// terms() add, term(k, row(k, the place of j)), in their order. A row gives several neighbouring
/// columns at once. Goes over the rows one after the other, some at once, as they lie in memory;
/// the sums of few columns stay in registers meanwhile.
template <class Store, class Start, class Those>
[[gnu::always_inline]] inline void sumsOfColumns(Index jFirst, Index jLast, const Store& store,
                                                 const Sum<Start, Those>& sum) {
    using T = decltype(valueAt(sum.start, jFirst));
    constexpr Index few = 8 * Lanes<T>::count;
    const Those& terms = std::get<0>(sum.terms);
    if (jLast - jFirst < few)
        sumsOfFewColumns<T>(jFirst, jLast, store, sum.start, terms);
    else
        sumsOfManyColumns<T>(jFirst, jLast, store, sum.start, terms);
}

}  // namespace hpspmd::detail
