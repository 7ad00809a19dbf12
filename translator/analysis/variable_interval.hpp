// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between which values a variable lies.
#pragma once

#include "analysis/constant.hpp"
#include "analysis/interval.hpp"

namespace hpcc::analysis {

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
