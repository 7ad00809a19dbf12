// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/array.hpp>

#include "compose.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/ranges.hpp>

namespace hpspmd::detail {

void raiseNullArray(Where where) {
    throw NullArray("use of a multiarray that was never assigned, or was moved from", where);
}

void raiseNoSuchDimension(int r, int rank, Where where) {
    throw OutOfBounds(compose("dimension ", r, " of a multiarray of rank ", rank), where);
}

Index localCount(const Range& x) {
    Index count = 0;
    for (const Block block : x.localBlocks()) count += block.count;
    return count;
}

void collapse(Map& map, Index& offset, int r, Where where) {
    const RangeRecord& x = *map.range.record();
    if (!isCollapsed(map.range) && !x.isWhole)
        throw RangeNotCollapsed(compose("dimension ", r, " of the array is ", describe(map.range),
                                        ", which is distributed: it cannot become a `*` dimension"),
                                where);
    offset += map.stride * x.base;
    map = {CollapsedRange(x.extent, where), map.stride * x.stride};
}

Group restrictReplicated(const Descriptor& a, const Divisor& at) {
    if (a.group.isNull()) raiseNullArray(at.where);
    for (int r = 0; r < a.rank; ++r)
        if (!isCollapsed(at.dim) && a[r].range.dim() == at.dim)
            throw DimensionNotInGroup(
                compose("an array can only be restricted in a dimension over which it is "
                        "replicated; dimension ",
                        r, " of this one, ", describe(a[r].range), ", uses it"),
                at.where);
    return restrict(a.group, at.dim, at.crd, at.where);
}

}  // namespace hpspmd::detail
