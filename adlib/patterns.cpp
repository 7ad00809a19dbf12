// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/patterns/demands.hpp>

#include "checks/checks.hpp"

namespace hpspmd::detail {
namespace {

/// The same group and ranges, as arrays mostly have that are made together.
bool areAlike(const Descriptor& a, const Descriptor& b) {
    bool alike = a.rank == b.rank && a.group.record() == b.group.record();
    for (int r = 0; alike && r < a.rank; ++r) alike = recordOf(a[r].range) == recordOf(b[r].range);
    return alike;
}

}  // namespace

void requireAlignedOperands(const char* name, Where where, const Operand* operands, int count) {
    int alike = 1;
    while (alike < count && areAlike(operands[0].layout, operands[alike].layout)) ++alike;
    if (alike == count && apg().contains(operands[0].layout.group)) return;
    const Call call(name, where);
    requireContained(call, operands[0]);
    for (int k = 1; k < count; ++k) requireAligned(call, operands[0], operands[k]);
}

bool isCounted(const Descriptor& array) {
    if (!array.group.amMember()) return false;
    const GroupRecord& group = *array.group.record();
    const auto isDivided = [&](int axis) {
        for (const Map& map : array)
            if (!isCollapsed(map.range) && map.range.record()->dimension->axis == axis) return true;
        return false;
    };
    for (int axis = 0; axis < group.grid->rank(); ++axis)
        if (group.grid->dimensions[axis].crd != 0 && group.fixed[axis] == GroupRecord::free &&
            !isDivided(axis))
            return false;
    return true;
}

}  // namespace hpspmd::detail
