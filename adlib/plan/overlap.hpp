// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/block.hpp>

#include "plan/product.hpp"

namespace hpspmd::detail::plan {

/// The arrays that a run joins.
enum End { To = 0, From = 1 };

/// The pairs (element of `to` with global index g, element of `from` with global index g + shift),
/// as local subscripts, by rising global index; count 0 if there are none. Both blocks are
/// arithmetic progressions in the global index of either sign, so the common elements are one too:
/// its step is the least common multiple of the steps, its start solves a congruence.
Run<2> overlap(const Block& to, const Block& from, Index shift);

/// All overlaps of two lists of blocks whose hulls do not overlap within one list (the blocks that
/// one coordinate holds). O(blocks of both + overlaps).
Runs<2> overlaps(const std::vector<Block>& to, const std::vector<Block>& from, Index shift);

}  // namespace hpspmd::detail::plan
