// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"
#include "grid.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/range.hpp>

#include <map>
#include <mutex>

namespace hpspmd {
namespace detail {
namespace {

// Both of one grid: true if inner fixes every coordinate that outer fixes, to the same value. A
// dimension of one process is no exception: what fails with two processes fails with one.
bool containsOfGrid(const GroupRecord& outer, const GroupRecord& inner) {
    for (std::size_t axis = 0; axis < outer.fixed.size(); ++axis)
        if (outer.fixed[axis] != GroupRecord::free && outer.fixed[axis] != inner.fixed[axis])
            return false;
    return true;
}

bool containsEachMember(const GroupRecord& outer, const GroupRecord& inner) {
    if (inner.size > outer.size) return false;
    for (int k = 0; k < inner.size; ++k)
        if (position(Group(&outer), member(Group(&inner), k)) < 0) return false;
    return true;
}

// Groups of different grids. The answer is remembered: it may cost O(size).
bool containsAcrossGrids(const GroupRecord& outer, const GroupRecord& inner) {
    static std::mutex& mutex = *new std::mutex;
    static auto& known = *new std::map<std::pair<const GroupRecord*, const GroupRecord*>, bool>;
    const std::lock_guard lock(mutex);
    const auto [entry, isNew] = known.try_emplace({&outer, &inner}, false);
    if (isNew) entry->second = containsEachMember(outer, inner);
    return entry->second;
}

// True if inner descends from outer, that is from a grid made of members of outer.
bool isAncestor(const GroupRecord& outer, const GroupRecord& inner) {
    for (const GroupRecord* group = inner.grid->parent; group; group = group->grid->parent)
        if (group->grid == outer.grid) return containsOfGrid(outer, *group);
    return false;
}

}  // namespace

const GroupRecord* nullGroup(Where where) {
    throw NullArray("use of a group that was never assigned", where);
}

int member(const Group& g, int k) {
    const GroupRecord* group = g.record();
    while (true) {
        const GridRecord& grid = *group->grid;
        std::vector<int> coordinates = group->fixed;
        for (std::size_t axis = coordinates.size(); axis-- > 0;) {
            if (coordinates[axis] != GroupRecord::free) continue;
            coordinates[axis] = k % grid.dimensions[axis].size;
            k /= grid.dimensions[axis].size;
        }
        k = rankOf(grid, coordinates);
        if (grid.parent == nullptr) return k;
        group = grid.parent;
    }
}

int position(const Group& g, int process) {
    const GroupRecord& group = *g.record();
    const GridRecord& grid = *group.grid;
    const int inParent = grid.parent ? position(Group(grid.parent), process) : process;
    if (inParent < 0 || inParent >= grid.whole->size) return -1;
    const std::vector<int> coordinates = coordinatesOf(grid, inParent);
    int rank = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
        if (group.fixed[axis] == GroupRecord::free)
            rank = rank * grid.dimensions[axis].size + coordinates[axis];
        else if (group.fixed[axis] != coordinates[axis])
            return -1;
    }
    return rank;
}

int coordinate(const Dimension& d, int process) {
    const DimensionRecord& dimension = *d.record()->dimension;
    if (dimension.grid == nullptr) return 0;
    const int inGrid = position(Group(dimension.grid->whole), process);
    return inGrid < 0
               ? -1
               : coordinatesOf(*dimension.grid, inGrid)[static_cast<std::size_t>(dimension.axis)];
}

bool hasDimension(const Group& g, const Dimension& d) {
    const DimensionRecord& dimension = *d.record()->dimension;
    if (dimension.grid == nullptr) return true;
    const GroupRecord& group = *g.record();
    return dimension.grid == group.grid &&
           group.fixed[static_cast<std::size_t>(dimension.axis)] == GroupRecord::free;
}

std::vector<Dimension> freeDimensions(const Group& g) {
    std::vector<Dimension> dimensions;
    const GroupRecord& group = *g.record();
    for (std::size_t axis = 0; axis < group.fixed.size(); ++axis)
        if (group.fixed[axis] == GroupRecord::free)
            dimensions.emplace_back(group.grid->dimensions[axis]);
    return dimensions;
}

Group restrict(const Group& g, const Dimension& d, int crd, Where where) {
    if (isCollapsed(d)) return g;
    const GroupRecord& group = *g.record(where);
    const DimensionRecord& dimension = *d.record(where)->dimension;
    if (!hasDimension(g, d))
        throw DimensionNotInGroup(
            compose("the ", describe(g), " cannot be restricted in dimension ", dimension.axis,
                    " of the ", describe(Group(dimension.grid->whole)),
                    dimension.grid == group.grid ? ": it already is" : ": that is another grid"),
            where);
    if (crd < 0 || crd >= dimension.size)
        throw OutOfBounds(
            compose("coordinate ", crd, " of dimension ", dimension.axis, " of the ", describe(g)),
            where);
    const auto axis = static_cast<std::size_t>(dimension.axis);
    std::atomic<const GroupRecord*>& own = group.own[axis];
    const bool isOwn = crd == dimension.crd;
    if (const GroupRecord* known = own.load(std::memory_order_acquire); isOwn && known)
        return Group(known);
    std::vector<int> fixed = group.fixed;
    fixed[axis] = crd;
    const GroupRecord* restricted = internGroup(*group.grid, fixed);
    if (isOwn) own.store(restricted, std::memory_order_release);
    return Group(restricted);
}

std::string describe(const Group& g) {
    const GroupRecord& group = *g.record();
    std::string extents, coordinates;
    bool restricted = false;
    for (std::size_t axis = 0; axis < group.fixed.size(); ++axis) {
        const bool isFree = group.fixed[axis] == GroupRecord::free;
        extents += compose(axis > 0 ? " x " : "", group.grid->dimensions[axis].size);
        coordinates += compose(axis > 0 ? ", " : "", isFree ? "*" : compose(group.fixed[axis]));
        restricted = restricted || !isFree;
    }
    const std::string grid = "grid (" + extents + ")";
    return restricted ? grid + " / (" + coordinates + ")" : grid;
}

}  // namespace detail

bool Group::contains(const Group& other) const {
    const detail::GroupRecord& outer = *record();
    const detail::GroupRecord& inner = *other.record();
    if (&outer == &inner) return true;
    if (outer.grid == inner.grid) return detail::containsOfGrid(outer, inner);
    if (outer.grid->initial != inner.grid->initial) return false;
    return detail::isAncestor(outer, inner) || detail::containsAcrossGrids(outer, inner);
}

}  // namespace hpspmd
