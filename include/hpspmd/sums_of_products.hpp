// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums of products over two outer loops: matrix multiplication and its relatives. hpcc -O3 emits
/// calls of sumsOfProducts().

#include <hpspmd/lanes.hpp>
#include <hpspmd/where.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace hpspmd::detail {

#if defined(__AVX512F__)
inline constexpr int packsPerTile = 3, rowsPerTile = 8;
#else
inline constexpr int packsPerTile = 2, rowsPerTile = 4;
#endif
/// Steps of the sum after which a panel of rows still fits the first cache.
inline constexpr Index stepsPerPanel = 128;

/// Sums at rows i .. i + rows - 1 and `packs` packs of columns, one step after the other, in
/// registers. `sums` holds what they are before, and then what they are; `panel` has a row for each
/// step. A function of its own, whose loop has all registers for itself.
template <int rows, int packs, class T, class Term>
[[gnu::noinline]] void addToTile(T* sums, const T* panel, Index first, Index last, Index i,
                                 const Term term) {
    using L = Lanes<T>;
    constexpr Index width = packs * L::count;
    typename L::Pack sum[rows][packs];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p) sum[r][p] = L::load(sums + r * width + p * L::count);
    for (Index k = first; k <= last; ++k, panel += width) {
        typename L::Pack row[packs];
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p) row[p] = L::load(panel + p * L::count);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
            for (int p = 0; p < packs; ++p) sum[r][p] += term(i + r, k, row[p]);
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p) L::store(sums + r * width + p * L::count, sum[r][p]);
}

/// The steps first .. last of all sums of a panel of `packs` packs of columns, in tiles of `rows`
/// rows and, where fewer are left, smaller ones.
template <int rows, int packs, class T, class Term>
void addToPanel(T* sums, const T* panel, Index first, Index last, Index i, Index iLast,
                const Term& term) {
    for (; i + rows - 1 <= iLast; i += rows, sums += rows * packs * Lanes<T>::count)
        addToTile<rows, packs>(sums, panel, first, last, i, term);
    if constexpr (rows > 1) addToPanel<rows / 2, packs>(sums, panel, first, last, i, iLast, term);
}

/// Room for a panel and sums, kept from call to call.
template <class T>
T* roomForPanel(std::size_t elements) {
    static thread_local std::vector<T> room;
    if (room.size() < elements) room.resize(elements);
    return room.data();
}

/// The steps first .. last of all sums of a panel, columns j .. j + packs * lanes - 1, which is
/// copied to `panel` first.
template <int packs, class T, class Row, class Term>
void addSteps(T* sums, T* panel, Index first, Index last, Index iFirst, Index iLast, Index j,
              const Row& row, const Term& term) {
    T* to = panel;
    for (Index k = first; k <= last; ++k) {
        const T* const from = row(k) + j;
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p, to += Lanes<T>::count)
            Lanes<T>::store(to, Lanes<T>::load(from + p * Lanes<T>::count));
    }
    addToPanel<rowsPerTile, packs>(sums, panel, first, last, iFirst, iLast, term);
}

/// Calls f(packs, j, fresh) for panels of columns j .. j + packs * lanes - 1, of which those from
/// `fresh` on are in no panel before; returns the first column that is in none.
template <class T, class Function>
Index forEachPanel(Index jFirst, Index jLast, const Function& f) {
    constexpr Index lanes = Lanes<T>::count, wide = packsPerTile * lanes;
    Index j = jFirst;
    for (; j + wide - 1 <= jLast; j += wide) f(std::integral_constant<int, packsPerTile>(), j, j);
    for (; j + lanes - 1 <= jLast; j += lanes) f(std::integral_constant<int, 1>(), j, j);
    const Index atEnd = jLast - lanes + 1;  // the last columns, together with some before
    if (j > jLast || atEnd < jFirst) return j;
    f(std::integral_constant<int, 1>(), atEnd, j);
    return jLast + 1;
}

/// What a sum starts with: the same number for all, or that of a function of its indices.
template <class Start, class... Indices>
auto startOf(const Start& start, Indices... indices) {
    if constexpr (std::is_invocable_v<const Start&, Indices...>)
        return start(indices...);
    else
        return start;
}

/// For i in iFirst .. iLast and j in jFirst .. jLast: store(i, j, sum), where sum is `start`, or
/// start(i, j), plus term(i, k, row(k)[j]) for k = kFirst .. kLast, added in this order. term()
/// gets several neighbouring elements of a row at once. start() is asked before the sum is stored,
/// and perhaps again behind that.
///
/// Goes over tiles of rows and columns whose sums stay in registers while k runs: each element of a
/// row is then loaded once for several i, and each factor that depends on i once for several j. If
/// all sums fit a cache, all panels take some steps before any takes the next, so that what
/// they read comes from memory once.
/// isHalf: it leaves out sums of a panel with i > j for all its j.
template <bool isHalf = false, class Start, class Row, class Term, class Store>
void sumsOfProducts(Index iFirst, Index iLast, Index jFirst, Index jLast, Index kFirst, Index kLast,
                    const Start& start, const Row& row, const Term& term, const Store& store) {
    using T = decltype(startOf(start, iFirst, jFirst));
    constexpr Index lanes = Lanes<T>::count, wide = packsPerTile * lanes;
    constexpr auto cached = static_cast<Index>((std::size_t{1} << 16) / sizeof(T));
    if (iLast < iFirst) return;
    const auto oneByOne = [&](Index from) {
        for (Index i = iFirst; i <= iLast; ++i)
            for (Index c = from; c <= jLast; ++c) {
                T sum = startOf(start, i, c);
                for (Index k = kFirst; k <= kLast; ++k) sum += term(i, k, row(k)[c]);
                store(i, c, sum);
            }
    };
    if (jLast - jFirst + 1 < lanes) return oneByOne(jFirst);
    const Index height = iLast - iFirst + 1;
    const Index all = std::max<Index>(jLast - jFirst + 1 + lanes, wide) * height;
    const bool together = all <= cached;
    T* const panel = roomForPanel<T>(
        static_cast<std::size_t>(stepsPerPanel * wide + (together ? all : wide * height)));
    T* const sums = panel + stepsPerPanel * wide;
    const auto sumsOf = [&](Index fresh) {
        return together ? sums + (fresh - jFirst) * height : sums;
    };
    const auto widthOf = [](auto packs) { return decltype(packs)::value * lanes; };
    const auto lowestOf = [&](auto packs, Index j) {
        return isHalf ? std::min(iLast, j + widthOf(packs) - 1) : iLast;
    };
    const auto begin = [&](auto packs, Index j, Index fresh) {
        T* own = sumsOf(fresh);
        for (Index i = iFirst; i <= iLast; ++i)
            for (Index c = 0; c < widthOf(packs); ++c) *own++ = startOf(start, i, j + c);
    };
    const auto add = [&](auto packs, Index j, Index fresh, Index first) {
        addSteps<decltype(packs)::value>(sumsOf(fresh), panel, first,
                                         std::min(first + stepsPerPanel - 1, kLast), iFirst,
                                         lowestOf(packs, j), j, row, term);
    };
    const auto finish = [&](auto packs, Index j, Index fresh) {
        const T* own = sumsOf(fresh);
        for (Index i = iFirst; i <= lowestOf(packs, j); ++i, own += widthOf(packs))
            // GCC warns unless it sees that c does not pass jLast.
            for (Index c = fresh; c < j + widthOf(packs) && c <= jLast; ++c)
                store(i, c, own[c - j]);
    };
    if (together) forEachPanel<T>(jFirst, jLast, begin);
    for (Index first = kFirst; together && first <= kLast; first += stepsPerPanel)
        forEachPanel<T>(jFirst, jLast,
                        [&](auto packs, Index j, Index fresh) { add(packs, j, fresh, first); });
    const Index rest = forEachPanel<T>(jFirst, jLast, [&](auto packs, Index j, Index fresh) {
        if (!together) {
            begin(packs, j, fresh);
            for (Index first = kFirst; first <= kLast; first += stepsPerPanel)
                add(packs, j, fresh, first);
        }
        finish(packs, j, fresh);
    });
    oneByOne(rest);
}

/// The same for i and j in first .. last, where the sum of i, j is that of j, i: computes one of
/// the two, by tiles, and stores it for both.
template <class T, class Row, class Term, class Store>
void symmetricSumsOfProducts(Index first, Index last, Index kFirst, Index kLast, T start,
                             const Row& row, const Term& term, const Store& store) {
    sumsOfProducts<true>(first, last, first, last, kFirst, kLast, start, row, term,
                         [&](Index i, Index j, T sum) {
                             if (i > j) return;
                             store(i, j, sum);
                             if (i < j) store(j, i, sum);
                         });
}

/// Sums of `packs` packs of columns, from `column` on, one step of `rows` after the other.
template <int packs, int steps, class T, class Term>
[[gnu::always_inline]] inline void addToColumns(T* sums, const T* const (&rows)[steps],
                                                Index column, Index k, const Term& term) {
    using L = Lanes<T>;
    typename L::Pack sum[packs];
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) sum[p] = L::load(sums + column + p * L::count);
#pragma GCC unroll 8
    for (int s = 0; s < steps; ++s)
#pragma GCC unroll 8
        for (int p = 0; p < packs; ++p)
            sum[p] += term(k + s, L::load(rows[s] + column + p * L::count));
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) L::store(sums + column + p * L::count, sum[p]);
}

/// Steps k .. k + steps - 1 of the sums of `count` columns from j on.
template <int steps, class T, class Row, class Term>
void addRows(T* sums, Index count, Index j, Index k, const Row& row, const Term& term) {
    constexpr Index lanes = Lanes<T>::count;
    constexpr int wide = 4;
    const T* rows[steps];
    for (int s = 0; s < steps; ++s) rows[s] = row(k + s) + j;
    Index c = 0;
    for (; c + wide * lanes <= count; c += wide * lanes) addToColumns<wide>(sums, rows, c, k, term);
    for (; c + lanes <= count; c += lanes) addToColumns<1>(sums, rows, c, k, term);
    for (; c < count; ++c)
        for (int s = 0; s < steps; ++s) sums[c] += term(k + s, rows[s][c]);
}

/// For j in jFirst .. jLast: store(j, sum), where sum is `start`, or start(j), plus
/// term(k, row(k)[j]) for k = kFirst .. kLast, added in this order. term() gets several
/// neighbouring elements of a row at once. Goes over the rows one after the other, some at once, as
/// they lie in memory, with the sums of so many columns as fit the first cache.
template <class Start, class Row, class Term, class Store>
void sumsOfColumns(Index jFirst, Index jLast, Index kFirst, Index kLast, const Start& start,
                   const Row& row, const Term& term, const Store& store) {
    using T = decltype(startOf(start, jFirst));
    constexpr Index most = 512;
    constexpr int steps = 4;
    const Index rest = std::max<Index>(kLast - kFirst + 1, 0) % steps;
    const Index single = std::max(kLast + 1, kFirst) - rest;  // from here on one by one
    alignas(packBytes) T sums[most];
    for (Index j = jFirst; j <= jLast; j += most) {
        const Index count = std::min(most, jLast - j + 1);
        for (Index c = 0; c < count; ++c) sums[c] = startOf(start, j + c);
        for (Index k = kFirst; k < single; k += steps) addRows<steps>(sums, count, j, k, row, term);
        for (Index r = 0; r < rest; ++r) addRows<1>(sums, count, j, single + r, row, term);
        for (Index c = 0; c < count; ++c) store(j + c, sums[c]);
    }
}

}  // namespace hpspmd::detail
