// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Where format and range records are interned: each distinct one exists once. A record is counted
/// unless it is one of the first that the process makes: most programs make few, and pay nothing. A
/// counted one that nobody keeps stays until there are as many of these as of the others; then a
/// sweep frees them, and the formats that no record has any more. So taking and dropping a range
/// locks nothing, one that is made again and again is there, and what grows is bounded by what is
/// in use.

#include <hpspmd/range.hpp>

#include <memory>

namespace hpspmd::detail {

/// Of x, what the rest follows from: format, dimension, base, stride, extent, lo, hi.
Range internRange(const RangeRecord& x);
/// The same of a format that may be new.
Range internRange(std::unique_ptr<Format> format, RangeRecord x);

/// For tests: all records that are made from now on are counted, and each sweep comes at once.
void keepNoRanges();
/// Records, and formats, that there are.
std::size_t rangeCount();
std::size_t formatCount();

/// Fills in d.range; d must stay where it is.
void describeDimension(DimensionRecord& d);
/// The dimension of every range that is not distributed: one coordinate, which every process has.
Dimension collapsedDimension();

}  // namespace hpspmd::detail
