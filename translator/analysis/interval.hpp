// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of integers from a least to a most.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

namespace hpcc::analysis {

// A bound of `unbounded` or more is not known.
struct Interval {
    long least, most;

    static constexpr long unbounded = 1L << 40;

    bool isEmpty() const { return least > most; }
    bool isKnown() const { return least > -unbounded || most < unbounded; }
    bool operator==(const Interval&) const = default;
};

constexpr Interval everything{-Interval::unbounded, Interval::unbounded};

// Everything where the number is too far from 0.
inline Interval only(long long value) {
    if (value <= -Interval::unbounded || value >= Interval::unbounded) return everything;
    return {static_cast<long>(value), static_cast<long>(value)};
}

inline bool isIn(Interval inner, Interval outer) {
    return inner.least >= outer.least && inner.most <= outer.most;
}
inline Interval joined(Interval a, Interval b) {
    return {std::min(a.least, b.least), std::max(a.most, b.most)};
}
inline Interval negated(Interval a) { return {-a.most, -a.least}; }

Interval sum(Interval a, Interval b);

// Those values that are `op` some value of the other one, with one of the operators of comparison;
// nothing if there are none.
std::optional<Interval> narrowed(Interval value, std::string_view op, Interval other);

}  // namespace hpcc::analysis
