// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/layout.hpp"

#include <algorithm>

namespace hpspmd::detail::plan {

Layout::Layout(const Descriptor& array) : group_(array.group), maps_(array.begin(), array.end()) {
    for (const Map& map : maps_)
        axes_.push_back(isCollapsed(map.range) ? -1 : map.range.record()->dimension->axis);
}

int Layout::coordinate(int r, int process) const {
    return detail::coordinate(maps_[r].range.dim(), process);
}

int Layout::process(const std::vector<int>& gridCoordinates) const {
    int linear = 0;
    for (int axis = 0; axis < grid().rank(); ++axis)
        linear = linear * axisSize(axis) + gridCoordinates[axis];
    return member(Group(grid().whole), linear);
}

bool Layout::isReplicated(int axis) const {
    return group_.record()->fixed[axis] == GroupRecord::free &&
           std::find(axes_.begin(), axes_.end(), axis) == axes_.end();
}

bool Layout::isFirstCopy(int process) const {
    if (!holds(process)) return false;
    for (int axis = 0; axis < grid().rank(); ++axis)
        if (isReplicated(axis) &&
            detail::coordinate(Dimension(grid().dimensions[axis]), process) != 0)
            return false;
    return true;
}

std::vector<int> Layout::place(const std::vector<int>& coordinates) const {
    std::vector<int> result = group_.record()->fixed;
    for (int& coordinate : result)
        if (coordinate == GroupRecord::free) coordinate = replicated;
    for (int r = 0; r < rank(); ++r)
        if (axes_[r] >= 0) result[axes_[r]] = coordinates[r];
    return result;
}

int Layout::nearest(const std::vector<int>& coordinates, int process) const {
    std::vector<int> result = place(coordinates);
    const int inside = position(Group(grid().whole), process);
    int turn = process;
    for (int axis = 0; axis < grid().rank(); ++axis) {
        if (result[axis] != replicated) continue;
        if (inside >= 0) {
            result[axis] = detail::coordinate(Dimension(grid().dimensions[axis]), process);
        } else {
            result[axis] = turn % axisSize(axis);
            turn /= axisSize(axis);
        }
    }
    return this->process(result);
}

std::vector<int> Layout::servedBy(int server, const Layout& source,
                                  const std::vector<int>& coordinates) const {
    std::vector<int> serverCoordinates;
    for (int r = 0; r < source.rank(); ++r)
        serverCoordinates.push_back(source.coordinate(r, server));

    const std::vector<int> fixed = place(coordinates);
    std::vector<int> low = fixed, high = fixed;
    for (int axis = 0; axis < grid().rank(); ++axis) {
        if (fixed[axis] != replicated) continue;
        low[axis] = 0;
        high[axis] = axisSize(axis) - 1;
        if (&source.grid() == &grid() &&
            source.isReplicated(axis))  // served at their own coordinate
            low[axis] = high[axis] = detail::coordinate(Dimension(grid().dimensions[axis]), server);
    }

    std::vector<int> result = between(low, high);
    std::erase_if(result,
                  [&](int taker) { return source.nearest(serverCoordinates, taker) != server; });
    return result;
}

std::vector<int> Layout::between(const std::vector<int>& low, const std::vector<int>& high) const {
    std::vector<int> result, at = low;
    for (;;) {
        result.push_back(process(at));
        int axis = grid().rank() - 1;
        for (; axis >= 0 && at[axis] == high[axis]; --axis) at[axis] = low[axis];
        if (axis < 0) return result;
        ++at[axis];
    }
}

int Layout::copies() const {
    int count = 1;
    for (int axis = 0; axis < grid().rank(); ++axis)
        if (isReplicated(axis)) count *= axisSize(axis);
    return count;
}

Layout Layout::firstCopies() const {
    Layout first = *this;
    for (int axis = 0; axis < grid().rank(); ++axis)
        if (isReplicated(axis))
            first.group_ = restrict(first.group_, Dimension(grid().dimensions[axis]), 0);
    return first;
}

bool Layout::sharesReplicationWith(const Layout& other) const {
    if (&grid() != &other.grid()) return false;
    for (int axis = 0; axis < grid().rank(); ++axis)
        if (isReplicated(axis) && other.isReplicated(axis)) return true;
    return false;
}

std::vector<int> Layout::holders(const std::vector<int>& coordinates) const {
    std::vector<int> low = place(coordinates), high = low;
    for (int axis = 0; axis < grid().rank(); ++axis) {
        if (low[axis] != replicated) continue;
        low[axis] = 0;
        high[axis] = axisSize(axis) - 1;
    }
    return between(low, high);
}

Group processesAlong(const Descriptor& array, int d) {
    Group line = array.group;
    if (!line.amMember()) return line;
    for (const Dimension& other : freeDimensions(line))
        if (other != array[d].range.dim()) line = restrict(line, other, other.crd());
    return line;
}

}  // namespace hpspmd::detail::plan
