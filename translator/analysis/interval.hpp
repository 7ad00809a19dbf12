// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between which values a variable lies.
#pragma once

#include <optional>

#include "analysis/constant.hpp"

namespace hpcc::analysis {

struct Interval {
    long least, most;

    static constexpr long unbounded = 1L << 40;  // farther from 0 is not known

    bool isEmpty() const { return least > most; }
    bool isKnown() const { return least > -unbounded || most < unbounded; }
    bool operator==(const Interval&) const = default;
};

// Of an integer that a function declares, where a statement of it stands.
//
//     for (int c = 1; c >= 0; --c) S              0 .. 1
//     int c = 2; while (c-- > 0) S                0 .. 1
//     int c = 0; do { S } while (++c < 2);        0 .. 1
//     int c = 0; for (..) { S c = 1 - c; }        0 .. 1
//     for (int c : {0, 2}) S                      0 .. 2
//
// Nothing where it is changed in ways that are not followed.
std::optional<Interval> intervalAt(NodePtr body, const Symbol* variable, NodePtr statement);

}  // namespace hpcc::analysis
