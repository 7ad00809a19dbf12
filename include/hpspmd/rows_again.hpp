// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops that change the elements of one row again and again. hpcc -O3 emits calls of
/// eachOfRowAgain().

#include <hpspmd/rows.hpp>

namespace hpspmd::detail {

/// The outer iterations of eachOfRowAgain(): change(k) of iteration k = 0 .. count - 1 takes the
/// operands of an element, or of some, and what the row has there.
template <class K, Index step, class Rows>
struct Changes {
    Index from, count;
    const Rows& rows;
    auto operator()(Index k) const { return rows(static_cast<K>(from + k * step)); }
};

#if defined(__AVX512F__) && !defined(HPSPMD_CHECKED_LOADS)
/// `packs` packs from j on, whose elements stay in registers meanwhile; of the first and the last
/// one those that are wanted.
template <int packs, class All>
[[gnu::always_inline]] inline void changeInRegisters(double* row, Index j, unsigned char first,
                                                     unsigned char last, const All& changes) {
    constexpr Index lanes = Lanes<double>::count;
    if (packs == 1) first &= last;
    const PartOperand begin{j, first}, end{j + (packs - 1) * lanes, last};
    DoublePack own[packs];
    own[0] = begin.at(row);
#pragma GCC unroll 4
    for (int p = 1; p < packs - 1; ++p) own[p] = PackOperand<packBytes>{j + p * lanes}.at(row);
    if (packs > 1) own[packs - 1] = end.at(row);
    for (Index k = 0; k < changes.count; ++k) {
        const auto change = changes(k);
        own[0] = change(begin, own[0]);
#pragma GCC unroll 4
        for (int p = 1; p < packs - 1; ++p)
            own[p] = change(PackOperand<packBytes>{j + p * lanes}, own[p]);
        if (packs > 1) own[packs - 1] = change(end, own[packs - 1]);
    }
    __builtin_ia32_storeupd512_mask(row + j, own[0], first);
#pragma GCC unroll 4
    for (int p = 1; p < packs - 1; ++p) Lanes<double>::store(row + j + p * lanes, own[p]);
    if (packs > 1) __builtin_ia32_storeupd512_mask(row + end.j, own[packs - 1], last);
}

/// All outer iterations for a row of at most four packs, the first of which begins at a multiple of
/// its size; false of others.
template <class All>
[[gnu::always_inline]] inline bool changeInRegisters(double* row, Index first, Index last,
                                                     const All& changes) {
    constexpr Index lanes = Lanes<double>::count;
    constexpr unsigned whole = (1U << lanes) - 1;
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / sizeof(double) % lanes;
    const Index j = first - static_cast<Index>(place);
    const auto begin = static_cast<unsigned char>(whole << place);
    const auto end = static_cast<unsigned char>(whole >> ((j - 1 - last) & (lanes - 1)));
    if (last < first) return true;
    switch ((last - j) / lanes) {
    case 0:
        changeInRegisters<1>(row, j, begin, end, changes);
        return true;
    case 1:
        changeInRegisters<2>(row, j, begin, end, changes);
        return true;
    case 2:
        changeInRegisters<3>(row, j, begin, end, changes);
        return true;
    case 3:
        changeInRegisters<4>(row, j, begin, end, changes);
        return true;
    default:
        return false;
    }
}
#else
template <class All>
bool changeInRegisters(const double*, Index, Index, const All&) {
    return false;
}
#endif

/// `for (k = from; k <= to; k += step) for (j = first; j <= last; ++j) row[j] = (rows(k))(operands
/// of j, row[j]);`. The elements of short rows are in registers while k runs; of long ones four of
/// the outer iterations run at once, and load and store the row once. Each element has the same
/// value as without, since they change it one after the other. A step below 0 goes down to k >= to.
template <class K, Index step = 1, class Rows>
[[gnu::always_inline]] inline void eachOfRowAgain(double* row, Index first, Index last, Index from,
                                                  Index to, const Rows& rows) {
    const Index count = (step > 0 ? to >= from : to <= from) ? (to - from) / step + 1 : 0;
    const Changes<K, step, Rows> at{from, count, rows};
    if (changeInRegisters(row, first, last, at)) return;
    Index k = 0;
    for (; k + 3 < count; k += 4) {
        const auto a = at(k), b = at(k + 1), c = at(k + 2), d = at(k + 3);
        eachInParts(row, first, last, [&](const auto& operands) {
            return d(operands, c(operands, b(operands, a(operands, operands.at(row)))));
        });
    }
    for (; k < count; ++k) {
        const auto a = at(k);
        eachInParts(row, first, last,
                    [&](const auto& operands) { return a(operands, operands.at(row)); });
    }
}

}  // namespace hpspmd::detail
