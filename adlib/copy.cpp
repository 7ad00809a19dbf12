// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/copy.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from) {
    requireAligned(call, to, from);
    requireContained(call, to);
    return ownPlan(plan::copy(to.layout, from.layout));
}

}  // namespace

void copy(const Operand& to, const Operand& from, Where where) {
    const Call call{"copy", where};
    Key key(Kind::Copy);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    Transfer& schedule =
        cachedTransfer(key, to.elementSize, [&] { return checkedPlan(call, to, from); });
    requireDisjoint(call, to, from);
    markWritten(to.layout);
    executeWhereItIs(schedule, {}, call, to, from);
    observeWritten(call.name, call.where, to);
}

Schedule makeCopy(const Operand& to, const Operand& from, Where where) {
    const Call call{"Copy", where};
    requireDisjoint(call, to, from);
    return localSchedule(call, to, from, [&] { return checkedPlan(call, to, from); });
}

}  // namespace hpspmd::detail
