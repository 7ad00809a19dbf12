// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Rows of which each element is made of columns at distances that only the running program knows.
/// hpcc -O3 emits calls of eachOfFarColumns().

#include <hpspmd/rows.hpp>

#include <vector>

namespace hpspmd::detail {

/// Four packs side by side: what a loop reads for all of them is read once.
struct FourPacks {
    DoublePack packs[4];

    [[gnu::always_inline]] static FourPacks of(const DoublePack& x) { return {{x, x, x, x}}; }
    template <class Function>
    [[gnu::always_inline]] static FourPacks each(const FourPacks& a, const FourPacks& b,
                                                 const Function& f) {
        return {{f(a.packs[0], b.packs[0]), f(a.packs[1], b.packs[1]), f(a.packs[2], b.packs[2]),
                 f(a.packs[3], b.packs[3])}};
    }
};
[[gnu::always_inline]] inline FourPacks operator+(const FourPacks& a, const FourPacks& b) {
    return FourPacks::each(a, b, [](const auto& x, const auto& y) { return x + y; });
}
[[gnu::always_inline]] inline FourPacks operator*(double a, const FourPacks& b) {
    return FourPacks::each(FourPacks::of(packOf<DoublePack>(a)), b,
                           [](const auto& x, const auto& y) { return x * y; });
}
[[gnu::always_inline]] inline FourPacks smallerOf(const FourPacks& a, const FourPacks& b) {
    return FourPacks::each(a, b, Smaller());
}
[[gnu::always_inline]] inline FourPacks largerOf(const FourPacks& a, const FourPacks& b) {
    return FourPacks::each(a, b, Larger());
}

/// The operands of the elements of four packs from j on.
struct FourPacksOperand {
    Index j;
    FourPacks at(const double* row) const {
        using L = Lanes<double>;
        row += j;
        return {{L::load(row), L::load(row + L::count), L::load(row + 2 * L::count),
                 L::load(row + 3 * L::count)}};
    }
    FourPacks of(double x) const { return FourPacks::of(packOf<DoublePack>(x)); }
};

/// eachOverlapping(), four packs at once where there are so many.
template <class Body>
[[gnu::always_inline]] inline void eachOfFour(double* row, Index first, Index last,
                                              const Body& body) {
    using L = Lanes<double>;
    constexpr Index lanes = L::count;
    Index j = first;
    if (const Index front = elementsInFront(row + first, last - first + 1)) {
        L::store(row + first, body(PackOperand<packBytes>{first}));
        j += front;
    }
    for (; j + 4 * lanes - 1 <= last; j += 4 * lanes) {
        const FourPacks values = body(FourPacksOperand{j});
        for (int k = 0; k < 4; ++k) L::store(row + j + k * lanes, values.packs[k]);
    }
    if (j <= last) eachOverlapping(row, j, last, body);
}

/// `for (j = first; j <= last; ++j) row[j] = across(operands of j, columns);`, where columns[j + d]
/// is column(operands of j + d) for each d that distances(reached) tells by reached(d). The columns
/// of some hundred elements are made, then those elements. Null stands for no columns if it tells
/// of none. The row is none of those that columns are made of.
template <class Distances, class Column, class Across>
[[gnu::always_inline]] inline void eachOfFarColumns(double* row, Index first, Index last,
                                                    const Distances& distances,
                                                    const Column& column, const Across& across) {
    constexpr Index lanes = Lanes<double>::count, few = 1024;
    Index least = 0, most = 0;
    bool isAny = false;
    distances([&](Index d) {
        least = !isAny || d < least ? d : least;
        most = !isAny || d > most ? d : most;
        isAny = true;
    });
    if (!isAny) {
        for (Index j = first; j <= last; ++j) row[j] = across(SingleOperand{j}, nullptr);
        return;
    }
    const Index around = most - least + lanes;
    alignas(packBytes) double kept[few];
    std::vector<double> many(static_cast<std::size_t>(around < few / 2 ? 0 : few + around));
    double* const start = many.empty() ? kept : many.data();
    const Index atOnce = many.empty() ? few - around : few;
    for (Index j = first; j <= last; j += atOnce) {
        const Index end = last - j < atOnce ? last : j + atOnce - 1;
        // Packs of columns lie as those of the row do.
        const auto place = reinterpret_cast<std::uintptr_t>(row + j + least) / sizeof(double);
        double* const columns = start + static_cast<Index>(place % lanes) - (j + least);
        eachOfFour(columns, j + least, end + most, column);
        eachOfFour(row, j, end, [&](const auto& operands) { return across(operands, columns); });
    }
}

}  // namespace hpspmd::detail
