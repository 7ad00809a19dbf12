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
struct SingleNeighbours {
    const double* row;
    Index j;

    double own() const { return row[j]; }
    double left() const { return row[j - 1]; }
    double right() const { return row[j + 1]; }
    double at(const double* other) const { return other[j]; }
    double ahead(const double* other) const { return other[j]; }
};

#if defined(__AVX512F__)

/// The operands of elements j .. j + 7 of a row, whose own elements are in registers already.
/// `isLong`: elements that no earlier row has brought into a cache are asked for 4 KB ahead.
template <bool isLong>
struct PackNeighbours {
    DoublePack before, here, behind;
    Index j;

    DoublePack own() const { return here; }
    DoublePack left() const {
        return __builtin_shufflevector(before, here, 7, 8, 9, 10, 11, 12, 13, 14);
    }
    DoublePack right() const {
        return __builtin_shufflevector(here, behind, 1, 2, 3, 4, 5, 6, 7, 8);
    }
    DoublePack at(const double* other) const { return Lanes<double>::load(other + j); }
    DoublePack ahead(const double* other) const {
        if constexpr (isLong) __builtin_prefetch(other + j + 512);
        return at(other);
    }
};

#endif

/// `for (j = first; j <= last; j += 2) row[j] = body(operands of j);`, where the body reads of the
/// row itself own() = row[j], left() = row[j - 1] if Left is 1, right() = row[j + 1] if Right is 1,
/// and of others at(p) = p[j], or ahead(p) = p[j] if it is the first to read that row.
///
/// With wide registers it computes all elements of a pack and stores the old value in those
/// between: contiguous loads and stores, and no load of what has just been stored, are faster than
/// strided ones although half of the results is thrown away (1.2 to 1.5 times, in cache). Each
/// result is computed as in the loop.
template <int Left, int Right, bool isLong, class Body>
[[gnu::always_inline]] inline void everySecondOf(double* row, Index first, Index last,
                                                 const Body& body) {
    Index j = first;
#if defined(__AVX512F__)
    // Packs start at a multiple of their size: on an element to be written or on its left
    // neighbour.
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / 8;
    Index start = first + static_cast<Index>((8 - place % 8) % 8);
    if (start + 8 <= last) {
        const auto single = [&] {
            row[j] = body(SingleNeighbours{row, j});
            j += 2;
        };
        // At most four before and behind the packs; no loops, which would be made wide as well.
        if (j < start) single();
        if (j < start) single();
        if (j < start) single();
        if (j < start) single();
        using Mask = std::int64_t __attribute__((vector_size(64)));
        const Mask evens = {-1, 0, -1, 0, -1, 0, -1, 0}, odds = {0, -1, 0, -1, 0, -1, 0, -1};
        const Mask written = j == start ? evens : odds;
        using L = Lanes<double>;
        DoublePack before = DoublePack{} + (Left ? row[start - 1] : 0.0),
                   here = L::load(row + start);
        const auto write = [&](const DoublePack& behind) {
            const DoublePack result = body(PackNeighbours<isLong>{before, here, behind, start});
            L::store(row + start, written ? result : here);
            before = here;
            here = behind;
            start += 8;
            j += 8;
        };
        while (start + 15 <= last) write(L::load(row + start + 8));
        write(DoublePack{} + (Right || start + 8 <= last ? row[start + 8] : 0.0));
        if (j <= last) single();
        if (j <= last) single();
        if (j <= last) single();
        if (j <= last) single();
        return;
    }
#else
    HPSPMD_INDEPENDENT(j)
#endif
    for (; j <= last; j += 2) row[j] = body(SingleNeighbours{row, j});
}

/// The same. Rows shorter than 2 KB are read without asking for anything ahead: they are in a
/// cache.
template <int Left, int Right, class Body>
inline void everySecond(double* row, Index first, Index last, const Body& body) {
    if (last - first < 256)
        everySecondOf<Left, Right, false>(row, first, last, body);
    else
        everySecondOf<Left, Right, true>(row, first, last, body);
}

}  // namespace hpspmd::detail
