// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/remap.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from) {
    requireSameShape(call, to, from);
    requireContained(call, to);
    requireContained(call, from);
    return ownPlan(plan::remap(to.layout, from.layout));
}

Key keyOf(const Operand& to, const Operand& from) {
    Key key(Kind::Remap);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    return key;
}

}  // namespace

void remap(const Operand& to, const Operand& from, const Combining& combining, Where where) {
    const Call call{"remap", where};
    const Key key = keyOf(to, from);
    Transfer& schedule =
        cachedTransfer(key, to.elementSize, [&] { return checkedPlan(call, to, from); });
    requireDisjoint(call, to, from);
    execute(schedule, call, key, to, from, combining);
}

Schedule makeRemap(const Operand& to, const Operand& from, Where where) {
    const Call call{"Remap", where};
    requireDisjoint(call, to, from);
    return ownedSchedule(call, keyOf(to, from), to, from,
                         [&] { return checkedPlan(call, to, from); });
}

}  // namespace hpspmd::detail
