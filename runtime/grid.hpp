// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Making grids and the records of their parts.

#include <hpspmd/group.hpp>

namespace hpspmd::detail {

/// So many processes, above which nothing stands; ownRank is the number of this one. Immortal.
/// The extents of Procs<rank>() over n processes, the smallest whose product is n, falling: each is
/// the smallest divisor of what is left that is not below the root of what is left.
std::vector<Index> balancedExtents(int n, int rank);

const GroupRecord* newWorld(int size, int ownRank);

/// The grid of the first processes of parent that is made at that place of the program: each exists
/// once, and for ever.
const GroupRecord* internGrid(const GroupRecord& parent, const std::vector<Index>& extents,
                              Where where);

/// The part of the grid with these coordinates (or free): each exists once, and for ever.
const GroupRecord* internGroup(const GridRecord& grid, const std::vector<int>& fixed);

/// Row-major coordinates of a grid member, and back.
std::vector<int> coordinatesOf(const GridRecord& grid, int rank);
int rankOf(const GridRecord& grid, const std::vector<int>& coordinates);

}  // namespace hpspmd::detail
