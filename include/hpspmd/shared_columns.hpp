// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Rows of which each element is made of a few columns that its neighbours have as well: sums,
/// least and largest numbers over rectangles. hpcc -O3 emits calls of eachOfColumns().

#include <hpspmd/rows.hpp>

namespace hpspmd::detail {

/// The columns of one element, or of neighbouring ones, each made where it is asked for.
template <class Operands, class Column>
struct ColumnsMade {
    const Operands& operands;
    const Column& make;
    auto column(Index distance) const {
        Operands there = operands;
        there.j += distance;
        return make(there);
    }
};

#if defined(__AVX512F__) && !defined(HPSPMD_CHECKED_LOADS)
/// Those of a pack and of the packs beside it.
struct ColumnsKept {
    const DoublePack &before, &here, &behind;
    DoublePack column(Index distance) const {
        constexpr Index lanes = Lanes<double>::count;
        if (distance < 0) return joined(before, here, distance + lanes);
        return joined(here, behind, distance);
    }
};

/// Finds out whether all rows that columns are made of lie as the row at `own` does.
struct ColumnPlaceOperand {
    std::uintptr_t own;
    bool& areAlike;
    double at(const double* row) const { return PlaceOperand{own, areAlike}.at(row, 0); }
};

/// Stores those of elements begin .. end - 1 of a pack that `wanted` has a bit for, and nothing
/// else.
[[gnu::always_inline]] inline void storeOnly(double* p, const DoublePack& pack, Index begin,
                                             Index end, unsigned wanted) {
    const unsigned mask = ((1U << end) - (1U << begin)) & wanted;
    __builtin_ia32_storeupd512_mask(p, pack, static_cast<unsigned char>(mask));
}

/// A long row in packs at multiples of their size, each of whose columns is made once; false if the
/// rows lie otherwise. (Columns that nobody asks for are made of elements in cache lines that hold
/// some that are asked for.)
template <int least, int most, int step, class Column, class Across>
[[gnu::always_inline]] inline bool eachOfKeptColumns(double* row, Index first, Index last,
                                                     const Column& column, const Across& across) {
    constexpr Index lanes = Lanes<double>::count;
    bool areAlike = last - first + 1 >= packsOfLongRow * lanes;
    if (areAlike) column(ColumnPlaceOperand{reinterpret_cast<std::uintptr_t>(row), areAlike});
    if (!areAlike) return false;
    const auto at = [&](Index j) -> DoublePack { return column(PackOperand<packBytes>{j}); };
    const Index front = elementsInFront(row + first, last - first + 1);
    Index j = front ? first + front - lanes : first;
    DoublePack here = at(j), before = first + least < j ? at(j - lanes) : here;
    const unsigned wanted = step == 1 ? 0xFFU : (first - j) % 2 == 0 ? 0x55U : 0xAAU;
    const auto next = [&](const DoublePack& behind) {
        const DoublePack values = across(ColumnsKept{before, here, behind});
        before = here;
        here = behind;
        return values;
    };
    if (front) {
        storeOnly(row + j, next(at(j + lanes)), lanes - front, lanes, wanted);
        j += lanes;
    }
    for (; j + lanes - 1 <= last; j += lanes)
        if constexpr (step == 1)
            Lanes<double>::store(row + j, next(at(j + lanes)));
        else
            storeOnly(row + j, next(at(j + lanes)), 0, lanes, wanted);
    if (j <= last)
        storeOnly(row + j, next(j + lanes <= last + most ? at(j + lanes) : here), 0, last - j + 1,
                  wanted);
    return true;
}
#else
template <int, int, int, class Column, class Across>
bool eachOfKeptColumns(double*, Index, Index, const Column&, const Across&) {
    return false;
}
#endif

/// `for (j = first; j <= last; j += step) row[j] = across(columns of j);`, in steps of one or two,
/// where column(d) is column(its operands) at j + d, for constants d from `least` to `most`. The
/// row is none of those that columns are made of.
template <int least, int most, int step = 1, class Column, class Across>
[[gnu::always_inline]] inline void eachOfColumns(double* row, Index first, Index last,
                                                 const Column& column, const Across& across) {
    static_assert(least > -8 && most > 0 && most < 8);
    static_assert(step == 1 || (step == 2 && most > least));
    if (last < first) return;
    last -= (last - first) % step;  // the last one that is reached
    if (eachOfKeptColumns<least, most, step>(row, first, last, column, across)) return;
    const auto made = [&](const auto& operands) {
        return across(ColumnsMade<std::decay_t<decltype(operands)>, Column>{operands, column});
    };
    if constexpr (step == 1) {
        eachOverlapping(row, first, last, made);
    } else {
        HPSPMD_INDEPENDENT(j)
        for (Index j = first; j <= last; j += step) row[j] = made(SingleOperand{j});
    }
}

}  // namespace hpspmd::detail
