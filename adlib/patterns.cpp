// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/patterns/demands.hpp>

#include "checks/checks.hpp"
#include "plan/layout.hpp"

namespace hpspmd::detail {

void requireAlignedOperands(const Call& call, const Operand* operands, int count) {
    requireContained(call, operands[0]);
    for (int k = 1; k < count; ++k) requireAligned(call, operands[0], operands[k]);
}

bool isCounted(const Descriptor& array) {
    const GroupRecord& group = *array.group.record();
    int distributed = 0;
    for (const Map& map : array) distributed += !isCollapsed(map.range);
    if (group.grid->rank() == distributed) return array.group.amMember();
    return plan::Layout(array).isFirstCopy(ownRank());
}

}  // namespace hpspmd::detail
