// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known before the program runs: constants, the dimension and format of a range.
#pragma once

#include "analysis/constant.hpp"
#include "check/types.hpp"

#include <optional>

namespace hpcc::check {

using analysis::bare;
using analysis::constantValue;
using analysis::isStable;
using analysis::singleInitializer;

// The index that an expression names or shifts: i, (i), i - 1; null if it is none.
const Symbol* namedIndex(NodePtr expression);

// The range that an index runs over: the expression in its `at` or `overall`; null if unknown.
NodePtr rangeOfIndex(const Symbol& index);

// A range as far as the program's text determines it.
struct RangeFacts {
    // The process dimension: axis `axis` of the grid variable `grid`, or, grid being null, that of
    // the range variable (or of dimension `axis` of the array variable) `variable`.
    const Symbol* grid = nullptr;
    const Symbol* variable = nullptr;
    long long axis = 0;
    std::string_view
        format;  // "BlockRange"; "" if not known. Ghost cells do not make another format.
    std::optional<long long> extent;
};

RangeFacts rangeFacts(NodePtr range);

// True if one process has all of it: a CollapsedRange, or dimension 1 of Procs2 p(4, 1).
bool isUndivided(const RangeFacts& range);

// The arguments of the constructor that makes a grid variable; null if it is copied or has none.
NodePtr constructorArguments(const Symbol& grid);

// The extent of dimension r in a NewMultiarray; null if a pack of extents hides which it is.
NodePtr extentOf(NodePtr creation, std::size_t r);

// Of dimension r of an array: from its creation if that is in sight.
RangeFacts dimensionFacts(NodePtr array, std::size_t r);

bool provablySameDimension(const RangeFacts& a, const RangeFacts& b);

// Why an index over `a` can never fit a dimension with `b`; "" if it may.
std::string provableMisfit(const RangeFacts& a, const RangeFacts& b);

}  // namespace hpcc::check
