// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"

#include <hpspmd/create.hpp>
#include <hpspmd/error.hpp>

#include <algorithm>

namespace hpspmd::detail {
namespace {

// Every process dimension that a range uses must be free in the group, and no two ranges may share
// one.
void checkDimensions(const Placement& on, const Map* maps, int rank) {
    for (int r = 0; r < rank; ++r) {
        const Range& x = maps[r].range;
        x.record(on.where);  // NullArray
        if (isCollapsed(x)) continue;
        if (!hasDimension(on.group, x.dim()))
            throw DimensionNotInGroup(
                compose("range ", r, " of a new array, ", describe(x),
                        ", is distributed over a dimension that is not free in the ",
                        describe(on.group), " (an `on` is missing?)"),
                on.where);
        for (int q = 0; q < r; ++q)
            if (maps[q].range.dim() == x.dim())
                throw DimensionNotInGroup(
                    compose("ranges ", q, " and ", r,
                            " of a new array use the same process dimension: ",
                            describe(maps[q].range), " and ", describe(x)),
                    on.where);
    }
}

constexpr std::size_t line = 64, longRow = 8 * line;

bool isLongRow(Index slots, std::size_t elementSize) {
    return elementSize != 0 && line % elementSize == 0 &&
           static_cast<std::size_t>(slots) * elementSize >= longRow;
}

// The slots from row to row. A stencil reads several rows at once: at the same place of a line all
// are aligned or none. Short rows stay as they are, because they would grow too much.
Index rowPitch(Index slots, std::size_t elementSize) {
    if (!isLongRow(slots, elementSize)) return slots;
    const auto perLine = static_cast<Index>(line / elementSize);
    return (slots + perLine - 1) / perLine * perLine;
}

// The local subscript that starts a line in every long row. Where an array has ghost cells, nests
// over its interior store rows without their boundary element; stores that do not cross lines are
// the faster ones.
Index alignedSubscript(const Map* maps, int rank, std::size_t elementSize) {
    if (rank == 0) return 0;
    const Range& row = maps[rank - 1].range;
    const bool hasGhosts = std::any_of(maps, maps + rank, [](const Map& map) {
        return map.range.loExtension() > 0 || map.range.hiExtension() > 0;
    });
    const Block& held = row.record()->run;
    const bool startsAtEdge = isCollapsed(row) || (held.count > 0 && held.globalBase == 0);
    return hasGhosts && startsAtEdge && isLongRow(row.volume(), elementSize) ? 1 : 0;
}

}  // namespace

void requireDimensions(const Placement& on, const Map* maps, int rank) {
    on.group.record(on.where);  // NullArray
    if (!apg().contains(on.group)) raiseNotContained(on.group, "a new array", on.where);
    checkDimensions(on, maps, rank);
}

Layout layOut(const Placement& on, Map* maps, int rank, std::size_t elementSize) {
    requireDimensions(on, maps, rank);
    Layout layout{1, 0, 0};
    for (int r = rank; r-- > 0;) {
        const Range& x = maps[r].range;
        maps[r].stride = layout.slots;
        layout.origin += layout.slots * x.loExtension();
        if (__builtin_mul_overflow(layout.slots, x.volume(), &layout.slots) ||
            layout.slots > (Index{1} << 60))
            throw BadExtent(
                compose("the size of a new array overflows at dimension ", r, ", ", describe(x)),
                on.where);
        if (r > 0 && r == rank - 1) layout.slots = rowPitch(layout.slots, elementSize);
    }
    layout.aligned = layout.origin + alignedSubscript(maps, rank, elementSize);
    if (!on.group.amMember()) layout.slots = 0;
    return layout;
}

std::vector<Block> copiedSlots(const Range& x) {
    const RangeRecord& record = *x.record();
    if (record.base == 0 && record.stride == 1 && record.extent == record.format->extent())
        return {Block{x.volume(), 0, 1, -x.loExtension(), 1}};
    const Blocks blocks = x.localBlocks();
    return std::vector<Block>(blocks.begin(), blocks.end());
}

}  // namespace hpspmd::detail
