// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "generated.hpp"

#include <algorithm>
#include <hpspmd/create.hpp>
#include <hpspmd/location.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/section.hpp>

namespace hpspmd::test {
namespace {

/// A triplet with `count` locations, and the extent of a range it fits into.
struct RandomTriplet {
    Triplet triplet;
    Index extent;
    bool isTrivial;
};

RandomTriplet randomTriplet(Random& random, Index count) {
    if (!random.oneIn(2)) return {Triplet(), count, true};
    const Index step = random.between(1, 3), span = (count - 1) * step;
    const Index low = random.below(3), extent = low + span + 1 + random.below(3);
    if (count == 0) return {Triplet(low + 1, low), low + 2, false};
    if (!random.oneIn(2)) return {Triplet(low, low + span, step), extent, false};
    return {Triplet(low + span, low, -step), extent, false};
}

std::vector<Index> randomSizes(Random& random, Index extent, Index coordinates) {
    std::vector<Index> sizes(static_cast<std::size_t>(coordinates), 0);
    for (Index k = 0; k < extent; ++k)
        ++sizes[static_cast<std::size_t>(random.oneIn(2) ? 0 : random.below(coordinates))];
    std::rotate(sizes.begin(), sizes.begin() + random.below(coordinates), sizes.end());
    return sizes;
}

Range randomRange(Random& random, Index extent, const Dimension& d, bool ghosts) {
    if (ghosts && random.oneIn(3))
        return IrregRange(randomSizes(random, extent, d.size()), d, random.below(4),
                          random.below(4));
    if (ghosts) return ExtBlockRange(extent, d, random.below(4), random.below(4));
    switch (random.below(6)) {
    case 0:
        return BlockRange(extent, d);
    case 1:
        return ExtBlockRange(extent, d, random.below(3), random.below(3));
    case 2:
        return CyclicRange(extent, d);
    case 3:
        return BlockCyclicRange(extent, d, random.between(1, 3));
    case 4:
        return IrregRange(randomSizes(random, extent, d.size()), d);
    default:
        return d.size() == extent ? Range(d) : Range(BlockRange(extent, d));
    }
}

/// Distributes the dimensions of a new array over the axes of its group.
class Axes {
public:
    Axes(Random& random, const Group& group)
        : random_(random), free_(detail::freeDimensions(group)) {
        for (std::size_t k = free_.size(); k > 1; --k)
            std::swap(free_[k - 1], free_[static_cast<std::size_t>(random.below(k))]);
    }

    /// A distributed range, or a collapsed one (always when no axis is left).
    Range range(Index extent, bool ghosts) {
        if (free_.empty() || random_.oneIn(4)) return CollapsedRange(extent);
        const Dimension d = free_.back();
        free_.pop_back();
        return randomRange(random_, extent, d, ghosts);
    }

private:
    Random& random_;
    std::vector<Dimension> free_;
};

/// Part of a grid: an axis may be fixed.
Group randomPart(Random& random, Group group) {
    for (const Dimension& d : detail::freeDimensions(group))
        if (random.oneIn(5))
            group = detail::restrict(group, d, static_cast<int>(random.below(d.size())));
    return group;
}

Index slotsFor(const std::vector<detail::Map>& maps) {
    Index slots = 1;
    for (const detail::Map& map : maps) slots *= map.range.volume();
    return slots;
}

TestArray wholeArray(const Group& group, std::vector<detail::Map> maps) {
    const detail::Layout layout =
        detail::layOut(detail::Placement(group), maps.data(), static_cast<int>(maps.size()));
    const Index slots = slotsFor(maps);
    return {group, std::move(maps), layout.origin, slots};
}

/// A subscript of a collapsed dimension is sometimes one of a `*` slot.
detail::Subscript ofSlot(Random& random, detail::Subscript subscript, const Range& x) {
    subscript.sequential = detail::isCollapsed(x) && random.oneIn(2);
    return subscript;
}

}  // namespace

Group randomGrid(Random& random, int processes) {
    const int rank = static_cast<int>(random.below(5));
    std::vector<Index> extents(static_cast<std::size_t>(rank), 1);
    Index left = processes;
    for (Index& extent : extents) {
        extent = random.oneIn(3) ? left : random.between(1, left);
        left /= extent;
    }
    for (std::size_t k = extents.size(); k > 1; --k)
        std::swap(extents[k - 1], extents[static_cast<std::size_t>(random.below(k))]);
    return Group(detail::makeGrid(extents.data(), rank, {}));
}

TestArray randomArray(Random& random, const Group& grid, const Indices& shape, bool ghosts) {
    const Group group = randomPart(random, grid);
    Axes axes(random, group);
    std::vector<detail::Map> maps;
    std::vector<detail::Subscript> subscripts;
    const auto addScalar = [&] {
        const Index extent = random.between(1, 6);
        const Range x = axes.range(extent, false);
        maps.push_back({x, 0});
        subscripts.push_back(ofSlot(random, detail::Position(random.below(extent)), x));
    };
    for (const Index count : shape) {
        if (random.oneIn(6)) addScalar();
        const RandomTriplet part = randomTriplet(random, count);
        const Range x = axes.range(part.extent, ghosts && part.isTrivial);
        maps.push_back({x, 0});
        subscripts.push_back(ofSlot(random, part.triplet, x));
    }
    if (random.oneIn(6)) addScalar();

    const TestArray whole = wholeArray(group, maps);
    TestArray section{whole.group, std::vector<detail::Map>(shape.size()), 0, whole.slots};
    const detail::SectionOrigin origin = detail::makeSection(
        whole.layout(), whole.offset, subscripts.data(), section.maps.data(), {});
    section.group = origin.group;
    section.offset = origin.offset;
    return section;
}

TestArray alignedArray(const TestArray& array) { return wholeArray(array.group, array.maps); }

TestArray alignedWithout(const TestArray& array, int d) {
    std::vector<detail::Map> maps = array.maps;
    maps.erase(maps.begin() + d);
    return wholeArray(array.group, maps);
}

Indices randomShape(Random& random, int rank) {
    const Index largest = rank <= 1 ? 30 : rank == 2 ? 12 : rank == 3 ? 6 : 4;
    Indices shape(static_cast<std::size_t>(rank));
    for (Index& extent : shape) extent = random.oneIn(20) ? 0 : random.between(1, largest);
    return shape;
}

bool advance(Indices& index, const Indices& shape) {
    for (std::size_t r = shape.size(); r-- > 0;) {
        if (++index[r] < shape[r]) return true;
        index[r] = 0;
    }
    return false;
}

bool isEmpty(const Indices& shape) {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

Index slotOf(const TestArray& array, const Indices& index, int process) {
    if (detail::position(array.group, process) < 0) return -1;
    Index slot = array.offset;
    for (int r = 0; r < array.rank(); ++r) {
        const Location at = array.maps[r].range.location(index[r]);
        if (detail::coordinate(at.dim, process) != at.crd) return -1;
        slot += array.maps[r].stride * at.sub;
    }
    return slot;
}

std::int64_t valueOf(const Indices& index, const Indices& shape) {
    std::int64_t value = 0;
    for (std::size_t r = 0; r < shape.size(); ++r) value = value * shape[r] + index[r];
    return value + 1;
}

std::string describe(const TestArray& array) {
    std::string text = "[[";
    for (const detail::Map& map : array.maps)
        text += (&map == &array.maps.front() ? "" : ", ") + detail::describe(map.range);
    return text + "]] on " + detail::describe(array.group);
}

}  // namespace hpspmd::test
