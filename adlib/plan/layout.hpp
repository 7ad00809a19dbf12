// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/descriptor.hpp>
#include <vector>

namespace hpspmd::detail::plan {

/// Which process holds which elements of an array: its descriptor, asked about any process of the
/// job (never about "this" one, so a plan for any process can be made anywhere). Processes are
/// numbered as in the initial group. An axis of the grid is fixed by the array's group, used by one
/// of its ranges, or one that the array is replicated over.
class Layout {
public:
    explicit Layout(const Descriptor& array);

    int rank() const { return static_cast<int>(maps_.size()); }
    const Range& range(int r) const { return maps_[r].range; }
    Index stride(int r) const { return maps_[r].stride; }
    const Group& group() const { return group_; }

    Descriptor descriptor() const { return {group_, maps_.data(), rank()}; }

    bool holds(int process) const { return position(group_, process) >= 0; }

    /// Coordinate of a process in the process dimension of range r; 0 if that is collapsed.
    int coordinate(int r, int process) const;

    /// True if, among the holders of the same elements, the process is the one that stands for them
    /// all (with coordinate 0 in every replicated axis). False outside the group.
    bool isFirstCopy(int process) const;

    /// The process that holds the elements at these coordinates (one per dimension) and serves
    /// `process`: with the same coordinate in the replicated axes if `process` lies in the grid;
    /// for processes outside, the copies take turns.
    int nearest(const std::vector<int>& coordinates, int process) const;

    /// How many processes hold the same elements.
    int copies() const;
    /// The copies that stand for all: those with coordinate 0 in every replicated axis.
    Layout firstCopies() const;
    /// True if there is an axis that both are replicated over. Then each copy of the one has a copy
    /// of the other near.
    bool sharesReplicationWith(const Layout& other) const;

    /// All processes that hold the elements at these coordinates, one per dimension.
    std::vector<int> holders(const std::vector<int>& coordinates) const;

    /// All processes that hold the elements at these coordinates of this array and are served by
    /// `server`, a holder of `source`, at its own coordinates in `source`.
    std::vector<int> servedBy(int server, const Layout& source,
                              const std::vector<int>& coordinates) const;

private:
    static constexpr int replicated = -1;

    /// Number of the grid member with these grid coordinates.
    int process(const std::vector<int>& gridCoordinates) const;
    /// The members between two corners of the grid.
    std::vector<int> between(const std::vector<int>& low, const std::vector<int>& high) const;
    /// Per axis: the coordinate, or `replicated`.
    std::vector<int> place(const std::vector<int>& coordinates) const;
    bool isReplicated(int axis) const;
    int axisSize(int axis) const { return grid().dimensions[axis].size; }
    const GridRecord& grid() const { return *group_.record()->grid; }

    Group group_;
    std::vector<Map> maps_;
    std::vector<int> axes_;  // per dimension: its axis of the grid, -1 if collapsed
};

/// The members of the array's group that differ from this process in the process dimension of d
/// only; the group itself for processes outside of it.
Group processesAlong(const Descriptor& array, int d);

}  // namespace hpspmd::detail::plan
