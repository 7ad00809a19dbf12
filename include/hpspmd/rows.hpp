// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops over the elements of a row that are independent of each other. hpcc -O3 emits calls of
/// eachOfRow().

#include <hpspmd/lanes.hpp>
#include <hpspmd/where.hpp>

#include <cstdint>

namespace hpspmd::detail {

/// The operands of element j of a row.
struct SingleOperand {
    Index j;
    double at(const double* row) const { return row[j]; }
};

/// The operands of the elements from j on, as many as a register holds.
struct PackOperand {
    Index j;
    DoublePack at(const double* row) const { return Lanes<double>::load(row + j); }
};

/// `for (j = first; j <= last; ++j) row[j] = body(operands of j);`, where the body reads at(p) =
/// p[j] of other rows and, if isInPlace, of this one.
///
/// Goes over packs: the first starts at the first element, those behind it at multiples of their
/// size, and the last one ends at the last element. So some elements are computed twice; if
/// isInPlace, they are stored once. (The packs in the middle have a loop of their own, because
/// processors fetch ahead what one and the same load asks for in even steps.)
template <bool isInPlace, class Body>
[[gnu::always_inline]] inline void eachOfRow(double* row, Index first, Index last,
                                             const Body& body) {
    using L = Lanes<double>;
    constexpr Index lanes = L::count;
    const Index lastPack = last - lanes + 1;
    if (lastPack < first) {
        for (Index j = first; j <= last; ++j) row[j] = body(SingleOperand{j});
        return;
    }
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / sizeof(double);
    const Index behind = lanes - static_cast<Index>(place) % lanes;  // to the next multiple
    storePart(row + first, body(PackOperand{first}), 0, isInPlace ? behind : lanes);
    Index j = first + behind;
    for (; j <= lastPack; j += lanes) L::store(row + j, body(PackOperand{j}));
    if (j <= last)
        storePart(row + lastPack, body(PackOperand{lastPack}), isInPlace ? j - lastPack : 0, lanes);
}

/// What a row keeps of two numbers, or of each two.
struct Larger {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return largerOf(a, b);
    }
};
struct Smaller {
    template <class T>
    T operator()(const T& a, const T& b) const {
        return smallerOf(a, b);
    }
};

/// `for (j = first; j <= last; ++j) { row[j] = body(operands of j); kept = choose(kept,
/// offer(operands of j, row[j])); }` gives what is kept in the end. Neither reads other elements of
/// the row. The same packs as those of eachOfRow().
template <class Choose, class Body, class Offer>
[[gnu::always_inline]] inline double keptOfRow(double* row, Index first, Index last, double kept,
                                               const Body& body, const Offer& offer) {
    using L = Lanes<double>;
    constexpr Index lanes = L::count;
    const Choose choose;
    const Index lastPack = last - lanes + 1;
    if (lastPack < first) {
        for (Index j = first; j <= last; ++j) {
            row[j] = body(SingleOperand{j});
            kept = choose(kept, offer(SingleOperand{j}, row[j]));
        }
        return kept;
    }
    DoublePack each = kept - DoublePack{};
    const auto step = [&](Index j) {
        const DoublePack values = body(PackOperand{j});
        L::store(row + j, values);
        each = choose(each, offer(PackOperand{j}, values));
    };
    const auto place = reinterpret_cast<std::uintptr_t>(row + first) / sizeof(double);
    step(first);
    Index j = first + lanes - static_cast<Index>(place) % lanes;
    for (; j <= lastPack; j += lanes) step(j);
    if (j <= last) step(lastPack);
    for (int k = 0; k < lanes; ++k) kept = choose(kept, double(each[k]));
    return kept;
}

}  // namespace hpspmd::detail
