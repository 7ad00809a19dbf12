// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid.hpp"

#include "compose.hpp"
#include "range_registry.hpp"

#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/procs.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

namespace hpspmd::detail {
namespace {

// What makes a grid: the same for all executions of one line by one group.
struct GridKey {
    const GroupRecord* parent;
    std::vector<Index> extents;
    std::string file;
    int line;

    auto tied() const { return std::tie(parent, extents, line, file); }
    friend bool operator<(const GridKey& a, const GridKey& b) { return a.tied() < b.tied(); }
};

struct Registry {
    std::mutex mutex;
    std::vector<std::unique_ptr<GridRecord>> grids;
    std::map<GridKey, const GroupRecord*> byPlace;
    std::map<std::pair<const GridRecord*, std::vector<int>>, std::unique_ptr<GroupRecord>> groups;
};

// Never destroyed: static arrays may outlive everything. It does not grow as a program goes on:
// there are so many grids as lines that make one, times the extents that a group can be given.
Registry& registry() {
    static Registry& instance = *new Registry;
    return instance;
}

// Own rank among the members with these coordinates, -1 if this process has others.
int ownRank(const GridRecord& grid, const std::vector<int>& fixed) {
    int rank = 0;
    for (std::size_t axis = 0; axis < fixed.size(); ++axis) {
        const DimensionRecord& d = grid.dimensions[axis];
        if (d.crd < 0 || (fixed[axis] != GroupRecord::free && fixed[axis] != d.crd)) return -1;
        if (fixed[axis] == GroupRecord::free) rank = rank * d.size + d.crd;
    }
    return rank;
}

template <class Number>
Fingerprint fingerprintOf(Fingerprint of, const std::vector<Number>& numbers) {
    for (const Number number : numbers) of = mixed(of, static_cast<std::uint64_t>(number));
    return of;
}

std::unique_ptr<GroupRecord> makeGroup(const GridRecord& grid, const std::vector<int>& fixed,
                                       int rank) {
    auto group = std::make_unique<GroupRecord>();
    group->grid = &grid;
    group->fixed = fixed;
    group->size = 1;
    for (std::size_t axis = 0; axis < fixed.size(); ++axis)
        if (fixed[axis] == GroupRecord::free) group->size *= grid.dimensions[axis].size;
    group->rank = rank;
    group->fingerprint = fingerprintOf(grid.fingerprint, fixed);
    group->own = std::make_unique<std::atomic<const GroupRecord*>[]>(fixed.size() + 1);
    return group;
}

std::string product(const Index* extents, int rank) {
    std::string text;
    for (int r = 0; r < rank; ++r) text += compose(r > 0 ? " x " : "", extents[r]);
    return text;
}

const GroupRecord* makeRecords(const GroupRecord* parent, const std::vector<Index>& extents,
                               int ownRank) {
    auto grid = std::make_unique<GridRecord>();
    grid->parent = parent;
    grid->initial = parent ? parent->grid->initial : grid.get();
    grid->fingerprint = fingerprintOf(parent ? parent->fingerprint : 1, extents);
    grid->dimensions.resize(extents.size());
    int total = 1;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        grid->dimensions[axis] = {grid.get(), static_cast<int>(axis),
                                  static_cast<int>(extents[axis]), -1, nullptr};
        describeDimension(grid->dimensions[axis]);
        total *= static_cast<int>(extents[axis]);
    }
    const bool member = ownRank >= 0 && ownRank < total;
    if (member) {
        const std::vector<int> own = coordinatesOf(*grid, ownRank);
        for (std::size_t axis = 0; axis < own.size(); ++axis)
            grid->dimensions[axis].crd = own[axis];
    }
    const std::vector<int> fixed(extents.size(), GroupRecord::free);
    std::unique_ptr<GroupRecord>& whole = registry().groups[{grid.get(), fixed}];
    whole = makeGroup(*grid, fixed, member ? ownRank : -1);
    grid->whole = whole.get();
    registry().grids.push_back(std::move(grid));
    return whole.get();
}

}  // namespace

std::vector<Index> balancedExtents(int n, int rank) {
    std::vector<Index> extents;
    for (; rank > 0; --rank) {
        const auto tooSmall = [&](int d) {
            Index power = 1;
            for (int k = 0; k < rank && power < n; ++k) power *= d;
            return power < n;
        };
        int d = 1;
        while (n % d != 0 || tooSmall(d)) ++d;
        extents.push_back(d);
        n /= d;
    }
    std::sort(extents.rbegin(), extents.rend());
    return extents;
}

const GroupRecord* newWorld(int size, int ownRank) {
    const std::lock_guard lock(registry().mutex);
    return makeRecords(nullptr, {size}, ownRank);
}

const GroupRecord* internGrid(const GroupRecord& parent, const std::vector<Index>& extents,
                              Where where) {
    const std::lock_guard lock(registry().mutex);
    const GroupRecord*& whole = registry().byPlace[{&parent, extents, where.file, where.line}];
    if (whole == nullptr) whole = makeRecords(&parent, extents, parent.rank);
    return whole;
}

const GroupRecord* internGroup(const GridRecord& grid, const std::vector<int>& fixed) {
    const std::lock_guard lock(registry().mutex);
    std::unique_ptr<GroupRecord>& group = registry().groups[{&grid, fixed}];
    if (!group) group = makeGroup(grid, fixed, ownRank(grid, fixed));
    return group.get();
}

std::vector<int> coordinatesOf(const GridRecord& grid, int rank) {
    std::vector<int> coordinates(grid.dimensions.size());
    for (std::size_t axis = coordinates.size(); axis-- > 0; rank /= grid.dimensions[axis].size)
        coordinates[axis] = rank % grid.dimensions[axis].size;
    return coordinates;
}

int rankOf(const GridRecord& grid, const std::vector<int>& coordinates) {
    int rank = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis)
        rank = rank * grid.dimensions[axis].size + coordinates[axis];
    return rank;
}

const GroupRecord* makeGrid(const Index* extents, int rank, Where where) {
    const GroupRecord* active = apg().record();
    Index total = 1;
    for (int r = 0; r < rank; ++r) {
        if (extents[r] < 1)
            throw BadExtent(
                "a process grid of " + product(extents, rank) + ": every extent must be at least 1",
                where);
        if (extents[r] > active->size) total = active->size + Index{1};
        if (total <= active->size) total *= extents[r];
    }
    if (total > active->size)
        throw ProcsArrayTooLarge(compose("a process grid of ", product(extents, rank),
                                         " asked for, but the active group has ", active->size,
                                         active->size == 1 ? " process" : " processes"),
                                 where);
    return internGrid(*active, std::vector<Index>(extents, extents + rank), where);
}

const GroupRecord* makeBalancedGrid(int rank, Where where) {
    const std::vector<Index> extents = balancedExtents(apg().size(), rank);
    return makeGrid(extents.data(), rank, where);
}

void raiseWrongRank(int given, int rank, Where where) {
    throw BadExtent(compose(given, " extents given for a process grid of rank ", rank), where);
}

Dimension gridDimension(const Group& g, int r, Where where) {
    const GridRecord& grid = *g.record()->grid;
    if (r < 0 || r >= grid.rank())
        throw OutOfBounds(
            compose("dim(", r, ") of the ", describe(g), ", which has rank ", grid.rank()), where);
    return Dimension(grid.dimensions[static_cast<std::size_t>(r)]);
}

}  // namespace hpspmd::detail
