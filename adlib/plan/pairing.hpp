// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/range.hpp>
#include <memory>
#include <vector>

#include "plan/overlap.hpp"

namespace hpspmd::detail::plan {

/// Elements of one dimension that one coordinate takes from another, as local subscripts. Of a
/// product of links in which all are `inPlace` an operation may leave out the elements: they are
/// where they should be (the inside of a block whose halo is filled).
struct Link {
    bool inPlace = false;
    Runs<2> runs;
};

/// How the elements of one dimension find their sources: which coordinate of the destination's
/// process dimension takes what from which coordinate of the source's. Everything a plan needs
/// about an operation is one pairing per dimension. A pure function of ranges and coordinates.
class Pairing {
public:
    virtual ~Pairing() = default;

    /// Coordinates that may hold something for coordinate `to`, ascending; may contain too many.
    virtual std::vector<int> sources(int to) const = 0;

    /// Coordinates that may take something from coordinate `from`, ascending; may contain too many.
    virtual std::vector<int> destinations(int from) const = 0;

    /// What `to` takes from `from`; no empty links.
    virtual std::vector<Link> links(int to, int from) const = 0;
};

/// The blocks of a coordinate that hold something of first..last (of everything).
std::vector<Block> blocksAt(const Range& x, int coordinate, Index first, Index last);
std::vector<Block> blocksAt(const Range& x, int coordinate);

/// dst[x] = src[x] for two ranges that distribute their elements alike: nothing moves.
std::unique_ptr<Pairing> aligned(const Range& x);

/// dst[x] = src[x + shift] for first <= x <= last.
struct Move {
    Index first, last, shift;
};

/// Any elements of one range from any of another: the moves of disjoint intervals.
std::unique_ptr<Pairing> moved(const Range& to, const Range& from, std::vector<Move> moves);

/// dst[x] = src[x + amount]; where x + amount lies outside: nothing, or `cyclic` modulo the extent.
std::unique_ptr<Pairing> shifted(const Range& to, const Range& from, Index amount, bool cyclic);

/// A block with `low` cells below and `high` above from the owners of their elements; `cyclic`:
/// what lies beyond an edge is taken from the other end, else such cells are left alone.
std::unique_ptr<Pairing> halo(const Range& x, Index low, Index high, bool cyclic);

}  // namespace hpspmd::detail::plan
