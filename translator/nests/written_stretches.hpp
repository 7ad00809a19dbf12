// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "analysis/sum.hpp"
#include "ast/node.hpp"

namespace hpcc::nests {

/// low <= k < high
struct Stretch {
    analysis::Sum low, high;

    friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// Elements of a vector.
struct Written {
    bool all = false;
    std::vector<Stretch> stretches;

    friend bool operator==(const Written&, const Written&) = default;
};

/// What is written on all ways to a place.
struct WrittenBefore {
    std::map<const ast::Symbol*, Written> of;
    bool isLeft = false;  // nothing comes here

    friend bool operator==(const WrittenBefore&, const WrittenBefore&) = default;
};

/// A loop that goes over all numbers from `first` to before `end`, or down to behind `end`.
struct Steps {
    analysis::Atom counter;
    analysis::Sum first, end;
    bool goesUp;
};

/// Compares stretches where a walk is.
class Stretches {
public:
    /// `isNotNegative`: surely 0 or more there.
    explicit Stretches(std::function<bool(const analysis::Sum&)> isNotNegative)
        : isNotNegative_(std::move(isNotNegative)) {}

    std::map<const ast::Symbol*, analysis::Sum> lengths;  // of the vectors

    void add(WrittenBefore& state, const ast::Symbol* vector, Stretch stretch) const;
    bool hold(const WrittenBefore& state, const ast::Symbol* vector, const Stretch& stretch) const;
    /// Adds what the iterations before that of `now` have written, where each writes `each`, and
    /// `entry` is written before the loop: the element next to that of the one before, or all from
    /// one that is written already.
    void addRounds(WrittenBefore& to, const WrittenBefore& entry, const WrittenBefore& each,
                   const Steps& steps, const analysis::Sum& now) const;
    /// What is written on both ways.
    WrittenBefore common(const WrittenBefore& a, const WrittenBefore& b) const;

private:
    bool holds(const Stretch& stretch, const Stretch& other) const;
    bool join(Stretch& stretch, const Stretch& other) const;
    bool isFrom(const analysis::Sum& low, const analysis::Sum& at) const;

    std::function<bool(const analysis::Sum&)> isNotNegative_;
};

}  // namespace hpcc::nests
