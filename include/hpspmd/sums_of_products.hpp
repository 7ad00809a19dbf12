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

/// Room for a panel and its sums, kept from call to call.
template <class T>
T* roomForPanel(std::size_t elements) {
    static thread_local std::vector<T> room;
    if (room.size() < elements) room.resize(elements);
    return room.data();
}

/// One panel: columns j .. j + packs * lanes - 1, of which those from `fresh` on are stored.
template <int packs, class T, class Row, class Term, class Store>
void sumPanel(Index iFirst, Index iLast, Index j, Index fresh, Index kFirst, Index kLast, T start,
              const Row& row, const Term& term, const Store& store) {
    constexpr Index width = packs * Lanes<T>::count;
    const Index height = iLast - iFirst + 1;
    const Index steps = std::clamp<Index>(kLast - kFirst + 1, 0, stepsPerPanel);
    T* const panel = roomForPanel<T>(static_cast<std::size_t>((steps + height) * width));
    T* const sums = panel + steps * width;
    std::fill(sums, sums + height * width, start);
    for (Index first = kFirst; first <= kLast; first += stepsPerPanel) {
        const Index last = std::min(first + stepsPerPanel - 1, kLast);
        for (Index k = first; k <= last; ++k) {
            const T* const from = row(k) + j;
            T* const to = panel + (k - first) * width;
#pragma GCC unroll 8
            for (int p = 0; p < packs; ++p)
                Lanes<T>::store(to + p * Lanes<T>::count,
                                Lanes<T>::load(from + p * Lanes<T>::count));
        }
        addToPanel<rowsPerTile, packs>(sums, panel, first, last, iFirst, iLast, term);
    }
    for (Index i = iFirst; i <= iLast; ++i)
        for (Index c = fresh; c < j + width; ++c) store(i, c, sums[(i - iFirst) * width + c - j]);
}

/// For i in iFirst .. iLast and j in jFirst .. jLast: store(i, j, sum), where sum is `start` plus
/// term(i, k, row(k)[j]) for k = kFirst .. kLast, added in this order. term() gets several
/// neighbouring elements of a row at once.
///
/// Goes over tiles of rows and columns whose sums stay in registers while k runs: each element of a
/// row is then loaded once for several i, and each factor that depends on i once for several j.
/// isHalf: it leaves out sums of a panel with i > j for all its j.
template <bool isHalf = false, class T, class Row, class Term, class Store>
void sumsOfProducts(Index iFirst, Index iLast, Index jFirst, Index jLast, Index kFirst, Index kLast,
                    T start, const Row& row, const Term& term, const Store& store) {
    constexpr Index lanes = Lanes<T>::count;
    if (iLast < iFirst) return;
    Index j = jFirst;  // the first column that is not done
    const auto panel = [&](auto packs, Index first) {
        constexpr int count = decltype(packs)::value;
        const Index lowest = isHalf ? std::min(iLast, first + count * lanes - 1) : iLast;
        sumPanel<count>(iFirst, lowest, first, j, kFirst, kLast, start, row, term, store);
        j = first + count * lanes;
    };
    const auto isRoomFor = [&](Index packs) { return j + packs * lanes - 1 <= jLast; };
    while (isRoomFor(packsPerTile)) panel(std::integral_constant<int, packsPerTile>(), j);
    while (isRoomFor(1)) panel(std::integral_constant<int, 1>(), j);
    // The last columns, together with some that are done already.
    if (j <= jLast && jLast - lanes + 1 >= jFirst)
        panel(std::integral_constant<int, 1>(), jLast - lanes + 1);
    for (Index i = iFirst; i <= iLast; ++i)
        for (Index c = j; c <= jLast; ++c) {
            T sum = start;
            for (Index k = kFirst; k <= kLast; ++k) sum += term(i, k, row(k)[c]);
            store(i, c, sum);
        }
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

}  // namespace hpspmd::detail
