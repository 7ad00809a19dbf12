// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Group, a set of processes; a trivially copyable pointer to an immortal interned record (thesis,
/// 3.4.2).

#include <hpspmd/fingerprint.hpp>
#include <hpspmd/where.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace hpspmd {

class Dimension;

namespace detail {

struct GridRecord;
struct RangeRecord;

/// A process dimension: one axis of a grid. The collapsed dimension (no grid, size 1, everybody's
/// coordinate 0) is one too.
struct DimensionRecord {
    const GridRecord* grid = nullptr;
    int axis = 0;
    int size = 1;
    int crd = 0;                         ///< of this process, -1 outside the grid
    const RangeRecord* range = nullptr;  ///< the dimension as a range
};

/// The members of a grid that have the given coordinates. Two groups are the same set of grid
/// members exactly if they are the same record.
struct GroupRecord {
    static constexpr int free = -1;

    const GridRecord* grid = nullptr;
    std::vector<int> fixed;  ///< per axis of the grid: the coordinate, or free
    int size = 0;
    int rank = -1;  ///< of this process in the group, row-major over the free axes; -1 outside
    /// Per axis, a cache: the restriction to this process's coordinate, null until first needed or
    /// if the axis is not free.
    std::unique_ptr<std::atomic<const GroupRecord*>[]> own;
    Fingerprint fingerprint = 0;          ///< of the grid and the coordinates
    mutable void* schedules = nullptr;    ///< Adlib's schedule cache of this group
    mutable void* collectives = nullptr;  ///< their count (collective.hpp)
};

/// A process grid: the first members of its parent group, row-major.
struct GridRecord {
    const GridRecord* initial = nullptr;  ///< of the initial group: tells worlds apart
    const GroupRecord* parent = nullptr;  ///< null for the initial group
    std::vector<DimensionRecord> dimensions;
    const GroupRecord* whole = nullptr;
    Fingerprint fingerprint = 0;  ///< of the parent and the extents

    int rank() const { return static_cast<int>(dimensions.size()); }
};

[[noreturn]] const GroupRecord* nullGroup(Where where);  // raises NullArray

}  // namespace detail

/// A group of processes: a grid, or the part of one where some coordinates are fixed (`p / x[n]`).
/// Example: for `Procs2 p(2, 3)`, `p / p.dim(0)[1]` holds the processes (1,0), (1,1), (1,2).
class Group {
public:
    constexpr Group() noexcept = default;
    constexpr explicit Group(const detail::GroupRecord* record) noexcept : record_(record) {}

    int size(detail::Where where = detail::Where::here()) const { return record(where)->size; }
    /// True if all processes of `other` are processes of this group. Every grid lies in the initial
    /// group. Within one grid a fixed coordinate counts even where its dimension has a single
    /// process, so that what would be wrong with two processes is found with one.
    bool contains(const Group& other) const;
    bool amMember(detail::Where where = detail::Where::here()) const {
        return record(where)->rank >= 0;
    }
    /// Of this process, row-major; -1 if it is not a member.
    int rank(detail::Where where = detail::Where::here()) const { return record(where)->rank; }

    friend bool operator==(const Group& a, const Group& b) { return a.record_ == b.record_; }
    friend bool operator!=(const Group& a, const Group& b) { return a.record_ != b.record_; }

    bool isNull() const { return record_ == nullptr; }
    /// For libraries; NullArray for a default-constructed group.
    const detail::GroupRecord* record(detail::Where where = detail::Where::here()) const {
        return record_ ? record_ : detail::nullGroup(where);
    }

private:
    const detail::GroupRecord* record_ = nullptr;
};

namespace detail {

/// Number in the initial group of member k of g, 0 <= k < g.size(). O(grid rank), no tables.
int member(const Group& g, int k);
/// The k with member(g, k) == process; -1 if process is not a member.
int position(const Group& g, int process);
/// Coordinate of any process in a dimension; -1 outside its grid; 0 for the collapsed dimension.
int coordinate(const Dimension& d, int process);
/// True if d is a free dimension of g. Always true for the collapsed dimension.
bool hasDimension(const Group& g, const Dimension& d);
/// The free dimensions of g in grid order.
std::vector<Dimension> freeDimensions(const Group& g);
/// The members of g with coordinate crd in d (g itself for the collapsed dimension);
/// DimensionNotInGroup.
Group restrict(const Group& g, const Dimension& d, int crd, Where where = Where::here());
/// "grid (2 x 3)" or "grid (2 x 3) / (1, *)".
std::string describe(const Group& g);

}  // namespace detail
}  // namespace hpspmd
