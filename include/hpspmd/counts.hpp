// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Counts of what falls into the places of a table. hpcc -O3 emits calls of countsIn().

#include <hpspmd/check.hpp>
#include <hpspmd/independent.hpp>
#include <hpspmd/lanes.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace hpspmd::detail {

/// Adds `by` to elements of a table of `n` numbers, again and again, as `table[place] += by` does.
/// Where many places are counted, eight neighbours each have a table of their own, so that no count
/// waits for the one before; these are added to the table at the end.
///
///     auto counts = countsIn<false>(table, 16, 1);
///     for (Index i = 0; i < n; ++i)
///         counts.add(0, m - 1, [&](Index j) { return binOf(a[i][j]); });
///
/// `areChecked`: a place outside of the table raises the error of its subscript, in its turn.
template <class T, bool areChecked>
class CountsIn {
public:
    CountsIn(T* table, Index n, int by) : table_(table), n_(n), by_(by), few_(firstOnes * n) {}
    CountsIn(const CountsIn&) = delete;
    CountsIn& operator=(const CountsIn&) = delete;
    ~CountsIn() {
        if (found_.empty()) return;
        for (Index place = 0; place < n_; ++place) {
            Index all = 0;
            for (Index c = 0; c < tables; ++c) all += found_[place * tables + c];
            table_[place] = static_cast<T>(table_[place] + static_cast<T>(all * by_));
        }
    }

    /// What placeOf(k) gives for k in first .. last, upwards.
    template <class Place>
    [[gnu::always_inline]] void add(Index first, Index last, const Place& placeOf) {
        using Given = decltype(placeOf(first));
        using Number =
            std::conditional_t<sizeof(Given) <= sizeof(int), std::uint32_t, std::uint64_t>;
        if (!areSeveral(last - first + 1)) return oneByOne(first, last, placeOf);
        const auto all = static_cast<Number>(n_);
        Index* const found = found_.data();
        alignas(packBytes) Number places[atOnce];
        for (Index k = first; k <= last; k += atOnce) {
            const Index count = std::min(atOnce, last - k + 1);
            HPSPMD_INDEPENDENT(c)
            for (Index c = 0; c < count; ++c) {
                const auto place = static_cast<Number>(placeOf(k + c));
                places[c] = tables * (areChecked && place > all ? all : place);
            }
            Index c = 0;
            for (; c + tables <= count; c += tables)
#pragma GCC unroll 8
                for (Index t = 0; t < tables; ++t) ++found[places[c + t] + t];
            for (; c < count; ++c) ++found[places[c] + c % tables];
            if (areChecked && isAnyOutside()) {
                for (c = 0; c < count; ++c) --found[places[c] + c % tables];
                oneByOne(k, last, placeOf);
            }
        }
    }

private:
    static constexpr Index tables = 8, most = 256, firstOnes = 8, atOnce = 64;

    /// True if `more` places are to be counted in several tables.
    bool areSeveral(Index more) {
        if (n_ > most || few_ > 0) {
            few_ -= more;
            return false;
        }
        if (found_.empty()) found_.resize(static_cast<std::size_t>((n_ + 1) * tables));
        return true;
    }
    template <class Place>
    void oneByOne(Index first, Index last, const Place& placeOf) {
        for (Index k = first; k <= last; ++k) {
            if constexpr (areChecked)
                table_[bounded(placeOf(k), n_, 0)] += static_cast<T>(by_);
            else
                table_[placeOf(k)] += static_cast<T>(by_);
        }
    }
    bool isAnyOutside() const {
        const Index* const outside = found_.data() + n_ * tables;
        Index any = 0;
        for (Index c = 0; c < tables; ++c) any |= outside[c];
        return any != 0;
    }

    T* const table_;
    const Index n_;
    const int by_;
    Index few_;                 // so many come first, one by one
    std::vector<Index> found_;  // by places, eight of each, and those outside
};

template <bool areChecked, class T>
CountsIn<T, areChecked> countsIn(T* table, Index n, int by) {
    return {table, n, by};
}

}  // namespace hpspmd::detail
