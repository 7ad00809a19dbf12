#pragma once
/// Making grids and the records of their parts.

#include <hpspmd/group.hpp>

namespace hpspmd::detail {

/// A grid of the first processes of parent; of `processes` processes that nothing stands above if
/// parent is null. ownRank is this process's number in parent, -1 outside. Immortal.
const GroupRecord* newGrid(const GroupRecord* parent, const std::vector<Index>& extents,
                           int ownRank);

/// The part of the grid with these coordinates (or free): each exists once, and for ever.
const GroupRecord* internGroup(const GridRecord& grid, const std::vector<int>& fixed);

/// Row-major coordinates of a grid member, and back.
std::vector<int> coordinatesOf(const GridRecord& grid, int rank);
int rankOf(const GridRecord& grid, const std::vector<int>& coordinates);

}  // namespace hpspmd::detail
