// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the subscripts and bounds of a nest can be, which its entry asks about.

#include <hpspmd/where.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace hpspmd::detail {

/// The integers lo .. hi that an expression can take in a nest; none if lo > hi. The operators give
/// a hull: `k_reach * n + 1` holds each value of k * n + 1.
struct Reach {
    Index lo = 0;
    Index hi = -1;

    Reach() = default;
    Reach(Index value) : lo(value), hi(value) {}
    /// A number without a sign does not narrow in braces.
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    Reach(T value) : Reach(static_cast<Index>(value)) {}
    /// Of a loop from a value of `first` to one of `last`.
    Reach(const Reach& first, const Reach& last)
        : Reach(!first.isEmpty() && !last.isEmpty(), first.lo, last.hi) {}

    bool isEmpty() const { return lo > hi; }

    friend Reach operator+(const Reach& a, const Reach& b) {
        return Reach(both(a, b), sum(a.lo, b.lo), sum(a.hi, b.hi));
    }
    friend Reach operator-(const Reach& a) { return Reach(!a.isEmpty(), -a.hi, -a.lo); }
    friend Reach operator-(const Reach& a, const Reach& b) { return a + -b; }
    friend Reach operator*(const Reach& a, const Reach& b) {
        const auto [lo, hi] = std::minmax(
            {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)});
        return Reach(both(a, b), lo, hi);
    }
    /// Rounds towards zero, as C++ does.
    friend Reach operator/(const Reach& a, Index positive) {
        return Reach(!a.isEmpty(), a.lo / positive, a.hi / positive);
    }
    friend Reach operator%(const Reach& a, Index positive) {
        return Reach(!a.isEmpty(), a.lo < 0 ? 1 - positive : 0, a.hi < 0 ? 0 : positive - 1);
    }

    /// Of std::max and std::min.
    friend Reach maxReach(const Reach& a, const Reach& b) {
        return Reach(both(a, b), std::max(a.lo, b.lo), std::max(a.hi, b.hi));
    }
    friend Reach minReach(const Reach& a, const Reach& b) {
        return Reach(both(a, b), std::min(a.lo, b.lo), std::min(a.hi, b.hi));
    }

    /// Of what is either of them.
    friend Reach joinedReach(const Reach& a, const Reach& b) {
        return a.isEmpty()   ? b
               : b.isEmpty() ? a
                             : Reach(true, std::min(a.lo, b.lo), std::max(a.hi, b.hi));
    }

    /// As a bound of a loop whose numbers have no sign: what is below 0 is above everything.
    friend Reach withoutSign(const Reach& a) {
        return a.lo < 0 && !a.isEmpty() ? Reach(a.lo, Reach(huge)) : a;
    }

private:
    Reach(bool any, Index lo, Index hi) : lo(any ? lo : 0), hi(any ? hi : -1) {}
    static bool both(const Reach& a, const Reach& b) { return !a.isEmpty() && !b.isEmpty(); }
    // What is too large for an Index is outside of every array, and stays so.
    static constexpr Index huge = std::numeric_limits<Index>::max() / 4;
    static Index cut(Index n) { return n > huge ? huge : n < -huge ? -huge : n; }
    static Index sum(Index a, Index b) { return cut(cut(a) + cut(b)); }
    static Index product(Index a, Index b) {
        Index result = 0;
        if (!__builtin_mul_overflow(a, b, &result)) return cut(result);
        return (a < 0) == (b < 0) ? huge : -huge;
    }
};
Reach withoutSign(const Reach& a);
Reach maxReach(const Reach& a, const Reach& b);
Reach minReach(const Reach& a, const Reach& b);
Reach joinedReach(const Reach& a, const Reach& b);

/// Those of the values that a condition does not leave out.
inline Reach atLeast(const Reach& a, Index least) {
    return a.isEmpty() ? a : Reach(std::max(a.lo, least), Reach(a.hi));
}
inline Reach atMost(const Reach& a, Index most) {
    return a.isEmpty() ? a : Reach(a.lo, Reach(std::min(a.hi, most)));
}

/// A value of the program: itself if it is an integer, else every value, because the loop or
/// subscript that it stands in rounds in its own way.
template <class E>
Reach reach(const E& e) {
    if constexpr (std::is_integral_v<E>)
        return Reach(static_cast<Index>(e));
    else
        return Reach(std::numeric_limits<Index>::min() / 4, std::numeric_limits<Index>::max() / 4);
}

/// The values of integers as those of type T: the same if T has all of them, else what lies in no
/// array.
template <class T>
Reach reachAs(const Reach& a) {
    using Limits = std::numeric_limits<T>;
    const bool isKept = a.lo >= static_cast<Index>(Limits::min()) &&
                        (sizeof(T) == sizeof(Index) || a.hi <= static_cast<Index>(Limits::max()));
    return a.isEmpty() || isKept ? a : reach(nullptr);
}

/// True if all these subscripts of a dimension are there, whose extent is `size`.
inline bool areThere(std::initializer_list<Reach> subscripts, Index size) {
    for (const Reach& each : subscripts)
        if (!each.isEmpty() && (each.lo < 0 || each.hi >= size)) return false;
    return true;
}

/// True if steps of one from `first` come to `end`, and all that are before it are subscripts of a
/// dimension of this size, which is likely. Perhaps false where there are none.
inline bool isRow(Index first, Index end, Index size) {
    return __builtin_expect(static_cast<std::uint64_t>(first) <= static_cast<std::uint64_t>(end) &&
                                static_cast<std::uint64_t>(end) <= static_cast<std::uint64_t>(size),
                            1);
}

}  // namespace hpspmd::detail
