// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops in steps of two that write every second element of a row and read the others: red-black
/// relaxation. hpcc -O3 emits calls of everySecond().

#include <hpspmd/independent.hpp>
#include <hpspmd/lanes.hpp>
#include <hpspmd/where.hpp>

#include <cstdint>

namespace hpspmd::detail {

/// The operands of element j of a row, the neighbours among them.
template <class T>
struct SingleNeighbours {
    const T* row;
    Index j;

    T own() const { return row[j]; }
    T left() const { return row[j - 1]; }
    T right() const { return row[j + 1]; }
    T at(const T* other) const { return other[j]; }
    T ahead(const T* other) const { return other[j]; }
};

#if defined(__AVX512F__)

/// The operands of elements j, j + 1, .. of a row, as many as a pack has, whose own elements are in
/// registers already.
/// `isLong`: elements that no earlier row has brought into a cache are asked for 4 KB ahead.
template <class T, bool isLong>
struct PackNeighbours {
    using Pack = typename Lanes<T>::Pack;
    Pack before, here, behind;
    Index j;

    Pack own() const { return here; }
    Pack left() const {
        if constexpr (Lanes<T>::count == 8)
            return __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14);
        else
            return __builtin_shufflevector(before, here, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                           26, 27, 28, 29, 30);
    }
    Pack right() const {
        if constexpr (Lanes<T>::count == 8)
            return __builtin_shufflevector(here, behind, 1, 2, 3, 4, 5, 6, 7, 8);
        else
            return __builtin_shufflevector(here, behind, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                           14, 15, 16);
    }
    Pack at(const T* other) const { return Lanes<T>::load(other + j); }
    Pack ahead(const T* other) const {
        if constexpr (isLong) __builtin_prefetch(other + j + 4096 / sizeof(T));
        return at(other);
    }
};

/// Where packs of elements first, first + 2, .. begin: packs of eight at a multiple of their size,
/// on an element to be written or on its left neighbour; larger ones, before which more elements
/// would stand alone, on the first.
template <class T>
Index startOfPacks(const T* row, Index first) {
    if constexpr (Lanes<T>::count > 8) return first;
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / sizeof(T);
    return first + static_cast<Index>((8 - place % 8) % 8);
}

#endif

/// `for (j = first; j <= last; j += 2) row[j] = body(operands of j);`, where the body reads of the
/// row itself own() = row[j], left() = row[j - 1] if Left is 1, right() = row[j + 1] if Right is 1,
/// and of others at(p) = p[j], or ahead(p) = p[j] if it is the first to read that row.
///
/// With wide registers it computes all elements of a pack and stores the old value in those
/// between: contiguous loads and stores, and no load of what has just been stored, are faster than
/// strided ones although half of the results is thrown away (1.2 to 1.5 times, in cache). Each
/// result is computed as in the loop.
template <int Left, int Right, bool isLong, class T, class Body>
[[gnu::always_inline]] inline void everySecondOf(T* row, Index first, Index last,
                                                 const Body& body) {
    Index j = first;
#if defined(__AVX512F__)
    using L = Lanes<T>;
    using Pack = typename L::Pack;
    constexpr int lanes = L::count;
    Index start = startOfPacks(row, first);
    if (start + lanes <= last) {
        // Alone, because they are few.
        const auto singlesTo = [&](Index end) {
            for (; j <= end; j += 2) {
                row[j] = body(SingleNeighbours<T>{row, j});
                asm volatile("");  // or the loop would be made wide as well
            }
        };
        singlesTo(start - 1);
        using Mask = decltype(Pack{} < Pack{});
        Mask written{};
        for (int k = 0; k < lanes; ++k) written[k] = (k % 2 == 0) == (j == start) ? -1 : 0;
        Pack before = Pack{} + (Left ? row[start - 1] : T(0)), here = L::load(row + start);
        const auto write = [&](const Pack& behind) {
            const Pack result = body(PackNeighbours<T, isLong>{before, here, behind, start});
            L::store(row + start, written ? result : here);
            before = here;
            here = behind;
            start += lanes;
            j += lanes;
        };
        while (start + 2 * lanes - 1 <= last) write(L::load(row + start + lanes));
        write(Pack{} + (Right || start + lanes <= last ? row[start + lanes] : T(0)));
        singlesTo(last);
        return;
    }
#else
    HPSPMD_INDEPENDENT(j)
#endif
    for (; j <= last; j += 2) row[j] = body(SingleNeighbours<T>{row, j});
}

/// The same. Rows shorter than 2 KB are read without asking for anything ahead: they are in a
/// cache.
template <int Left, int Right, class T, class Body>
inline void everySecond(T* row, Index first, Index last, const Body& body) {
    if (last - first < static_cast<Index>(2048 / sizeof(T)))
        everySecondOf<Left, Right, false>(row, first, last, body);
    else
        everySecondOf<Left, Right, true>(row, first, last, body);
}

}  // namespace hpspmd::detail
