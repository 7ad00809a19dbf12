// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Rows of which each element is made of columns at distances that only the running program knows.
/// hpcc -O3 emits calls of eachOfFarColumns().

#include <hpspmd/shared_columns.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>
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

/// What loops tell one after the other, and how often they do: the factors of rows or of columns,
/// and where those lie.
template <class Place>
class FarTerms {
public:
    struct Term {
        double factor;
        Place place;
    };

    FarTerms() = default;
    FarTerms(const FarTerms&) = delete;
    FarTerms& operator=(const FarTerms&) = delete;

    [[gnu::always_inline]] void operator()(double factor, Place place) {
        if (end_ == limit_) grow();
        *end_++ = {factor, place};
    }
    const Term* begin() const { return begin_; }
    const Term* end() const { return end_; }
    Index size() const { return end_ - begin_; }

private:
    [[gnu::noinline]] void grow() {
        std::vector<Term> more(2 * size());
        std::copy(begin_, end_, more.begin());
        end_ = more.data() + size();
        many_.swap(more);
        begin_ = many_.data();
        limit_ = begin_ + many_.size();
    }

    static constexpr Index few = 16;
    Term few_[few];
    Term *begin_ = few_, *end_ = few_, *limit_ = few_ + few;
    std::vector<Term> many_;
};
using FarRows = FarTerms<const double*>;
using FarDistances = FarTerms<Index>;

/// The number so far with one more: added, times its factor, or the one that Choose chooses.
template <class Choose, class T>
[[gnu::always_inline]] inline T withNext(const T& sum, double factor, const T& x) {
    if constexpr (std::is_void_v<Choose>)
        return sum + factor * x;
    else
        return Choose()(sum, x);
}

/// The first one, times its factor.
template <class Choose, class T>
[[gnu::always_inline]] inline T firstOfColumn(double factor, const T& x) {
    if constexpr (std::is_void_v<Choose>)
        return factor * x;
    else
        return x;
}

/// True if n factors are the same in both directions.
template <std::size_t n>
[[gnu::always_inline]] inline bool areSymmetric(const double* factors) {
    bool are = true;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < n / 2; ++k) are &= factors[k] == factors[n - 1 - k];
    return are;
}

/// Of such, an odd number.
template <std::size_t... k, class Term>
[[gnu::always_inline]] inline auto sumOfPairs(std::index_sequence<k...>, const double* factors,
                                              const Term& term) {
    constexpr std::size_t middle = sizeof...(k);
    auto sum = factors[middle] * term(middle);
    ((sum = sum + factors[k] * (term(k) + term(2 * middle - k))), ...);
    return sum;
}

/// As many rows as columns, which lie side by side: those are kept in registers. False if they
/// cannot be.
template <class Choose, std::size_t... k>
[[gnu::noinline]] bool eachOfNearColumns(std::index_sequence<0, k...>, double* row, Index first,
                                         Index last, double start, const FarRows& rows,
                                         const FarDistances& distances) {
    constexpr int most = sizeof...(k), left = most / 2;
    const FarRows::Term* const r = rows.begin();
    const FarDistances::Term* const d = distances.begin();
    const Index middle = d[left].place;
    const double* const from[] = {r[0].place + middle, r[k].place + middle...};
    const double factors[] = {r[0].factor, r[k].factor...};
    const double weights[] = {d[0].factor, d[k].factor...};
    if constexpr (std::is_void_v<Choose>) {
        constexpr std::size_t n = sizeof...(k) + 1;
        if (areSymmetric<n>(factors) && areSymmetric<n>(weights)) {
            const auto folded = std::make_index_sequence<left>();
            const auto column = [&](const auto& operands) {
                return sumOfPairs(folded, factors,
                                  [&](std::size_t m) { return operands.at(from[m]); });
            };
            const auto across = [&](const auto& columns) {
                return packOf<DoublePack>(start) + sumOfPairs(folded, weights, [&](std::size_t m) {
                           return columns.column(Index(m) - left);
                       });
            };
            return eachOfKeptColumns<-left, most - left, 1>(row, first, last, column, across);
        }
    }
    const auto column = [&](const auto& operands) {
        auto sum = firstOfColumn<Choose>(factors[0], operands.at(from[0]));
        ((sum = withNext<Choose>(sum, factors[k], operands.at(from[k]))), ...);
        return sum;
    };
    const auto across = [&](const auto& columns) {
        auto sum = withNext<Choose>(packOf<DoublePack>(start), weights[0], columns.column(-left));
        ((sum = withNext<Choose>(sum, weights[k], columns.column(Index(k) - left))), ...);
        return sum;
    };
    return eachOfKeptColumns<-left, most - left, 1>(row, first, last, column, across);
}

/// The same of as many rows and columns as there are; false if that is none of a few numbers, or
/// if the columns lie otherwise.
template <class Choose>
[[gnu::always_inline]] inline bool eachOfNearColumns(double* row, Index first, Index last,
                                                     double start, const FarRows& rows,
                                                     const FarDistances& distances) {
    if (rows.size() != distances.size() || last < first) return false;
    Index next = distances.begin()->place;
    for (const auto& each : distances)
        if (each.place != next++) return false;
    switch (rows.size()) {
    case 3:
        return eachOfNearColumns<Choose>(std::make_index_sequence<3>(), row, first, last, start,
                                         rows, distances);
    case 5:
        return eachOfNearColumns<Choose>(std::make_index_sequence<5>(), row, first, last, start,
                                         rows, distances);
    case 7:
        return eachOfNearColumns<Choose>(std::make_index_sequence<7>(), row, first, last, start,
                                         rows, distances);
    case 9:
        return eachOfNearColumns<Choose>(std::make_index_sequence<9>(), row, first, last, start,
                                         rows, distances);
    default:
        return false;
    }
}

/// Columns of some hundred elements are made, then those elements.
template <class Choose>
[[gnu::noinline]] void eachOfKeptFarColumns(double* row, Index first, Index last, double start,
                                            const FarRows& rows, const FarDistances& distances) {
    constexpr Index lanes = Lanes<double>::count, few = 1024;
    Index least = distances.begin()->place, most = least;
    for (const auto& each : distances) {
        least = each.place < least ? each.place : least;
        most = each.place > most ? each.place : most;
    }
    const Index around = most - least + lanes;
    alignas(packBytes) double kept[few];
    std::vector<double> many(static_cast<std::size_t>(around < few / 2 ? 0 : few + around));
    double* const place = many.empty() ? kept : many.data();
    const Index atOnce = many.empty() ? few - around : few;
    for (Index j = first; j <= last; j += atOnce) {
        const Index end = last - j < atOnce ? last : j + atOnce - 1;
        // Packs of columns lie as those of the row do.
        const auto aside = reinterpret_cast<std::uintptr_t>(row + j + least) / sizeof(double);
        double* const columns = place + static_cast<Index>(aside % lanes) - (j + least);
        eachOfFour(columns, j + least, end + most, [&](const auto& operands) {
            auto sum =
                firstOfColumn<Choose>(rows.begin()->factor, operands.at(rows.begin()->place));
            for (auto each = rows.begin() + 1; each != rows.end(); ++each)
                sum = withNext<Choose>(sum, each->factor, operands.at(each->place));
            return sum;
        });
        eachOfFour(row, j, end, [&](const auto& operands) {
            auto sum = operands.of(start);
            for (const auto& each : distances)
                sum = withNext<Choose>(sum, each.factor, operands.at(columns + each.place));
            return sum;
        });
    }
}

/// `for (j = first; j <= last; ++j) row[j] = start + ..;`: to the first number each column is
/// added, times its factor, whose factors and distances tellDistances(take) tells by
/// take(factor, distance). Columns are such sums of the elements of rows that tellRows(take) tells
/// by take(factor, where element 0 of the row is). Or all are chosen from. The row is none of
/// those that columns are made of. Where there are no distances, nobody asks for rows.
template <class Choose = void, class TellDistances, class TellRows>
[[gnu::always_inline]] inline void eachOfFarColumns(double* row, Index first, Index last,
                                                    double start,
                                                    const TellDistances& tellDistances,
                                                    const TellRows& tellRows) {
    FarDistances distances;
    tellDistances(distances);
    FarRows rows;
    if (distances.size()) tellRows(rows);
    if (!rows.size())
        for (Index j = first; j <= last; ++j) row[j] = start;
    else if (!eachOfNearColumns<Choose>(row, first, last, start, rows, distances))
        eachOfKeptFarColumns<Choose>(row, first, last, start, rows, distances);
}

}  // namespace hpspmd::detail
