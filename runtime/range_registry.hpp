// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Where format and range records are interned: each distinct one exists once, and for ever.

#include <hpspmd/range.hpp>

#include <memory>

namespace hpspmd::detail {

const Format* internFormat(std::unique_ptr<Format> format);
const RangeRecord* internRange(const RangeRecord& range);

/// Fills in d.range; d must stay where it is.
void describeDimension(DimensionRecord& d);
/// The dimension of every range that is not distributed: one coordinate, which every process has.
Dimension collapsedDimension();

}  // namespace hpspmd::detail
