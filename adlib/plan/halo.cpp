// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include <hpspmd/location.hpp>

#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {
namespace {

/// Rounds towards minus infinity.
Index floorDivide(Index value, Index divisor) {
    return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// A contiguous block of global indices first..last; local subscript = global + offset. Ranges with
/// ghost cells have at most one block per coordinate, with steps of one.
struct Interval {
    Index first = 0, last = -1, offset = 0;
    bool empty() const { return last < first; }
};

Interval blockOf(const Range& x, int coordinate) {
    for (const Block& block : blocksAt(x, coordinate))
        return {block.globalBase, block.globalBase + block.count - 1,
                block.localBase - block.globalBase};
    return {};
}

class Halo final : public Pairing {
public:
    Halo(const Range& x, Index low, Index high, bool cyclic)
        : x_(x), low_(low), high_(high), cyclic_(cyclic) {}

    std::vector<int> sources(int to) const override { return holdersAround(to, low_, high_); }

    /// A cell at most `high` above (`low` below) its block lies in mine: so that block's end lies
    /// at most `high` below (`low` above) mine.
    std::vector<int> destinations(int from) const override {
        return holdersAround(from, high_, low_);
    }

    std::vector<Link> links(int to, int from) const override {
        const Interval mine = blockOf(x_, to), other = blockOf(x_, from);
        if (mine.empty() || other.empty()) return {};
        std::vector<Link> result;
        if (to == from) {
            const Index start = mine.first + mine.offset;
            result.push_back({true, {{mine.last - mine.first + 1, {start, start}, {1, 1}}}});
        }
        Link ghosts;
        addGhosts(ghosts.runs, mine, {mine.first - low_, mine.first - 1}, other);
        addGhosts(ghosts.runs, mine, {mine.last + 1, mine.last + high_}, other);
        if (!ghosts.runs.empty()) result.push_back(ghosts);
        return result;
    }

private:
    /// Cells whose element, in this or any other period of a cyclic range, lies in `other`.
    void addGhosts(Runs<2>& runs, const Interval& mine, const Interval& cells,
                   const Interval& other) const {
        if (cells.empty()) return;
        const Index extent = x_.size();
        const Index firstPeriod = cyclic_ ? floorDivide(cells.first, extent) : 0;
        const Index lastPeriod = cyclic_ ? floorDivide(cells.last, extent) : 0;
        for (Index period = firstPeriod; period <= lastPeriod; ++period) {
            const Index wrap = period * extent;
            const Index first = std::max(cells.first, other.first + wrap);
            const Index last = std::min(cells.last, other.last + wrap);
            if (last < first) continue;
            runs.push_back(
                {last - first + 1, {first + mine.offset, first - wrap + other.offset}, {1, 1}});
        }
    }

    /// The coordinates that hold elements at most `below` below and `above` above the block, the
    /// block's own among them; O(their number).
    std::vector<int> holdersAround(int coordinate, Index below, Index above) const {
        const Interval block = blockOf(x_, coordinate);
        if (block.empty()) return {};
        const Index extent = x_.size();
        Index first = block.first - below, last = block.last + above;
        if (!cyclic_) {
            first = std::max<Index>(first, 0);
            last = std::min(last, extent - 1);
        } else if (last - first + 1 >= extent) {
            first = 0;
            last = extent - 1;
        }
        std::vector<int> result;
        for (Index global = first; global <= last;) {
            const Index wrap = floorDivide(global, extent) * extent;
            const int holder = x_.location(global - wrap).crd;
            result.push_back(holder);
            global = blockOf(x_, holder).last + wrap + 1;
        }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    Range x_;
    Index low_, high_;
    bool cyclic_;
};

}  // namespace

std::unique_ptr<Pairing> halo(const Range& x, Index low, Index high, bool cyclic) {
    return std::make_unique<Halo>(x, low, high, cyclic);
}

}  // namespace hpspmd::detail::plan
