// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/shift.hpp>

#include "checks/checks.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

struct Amount {
    Index distance;
    int d;
    bool cyclic;
};

plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from,
                       const Amount& amount) {
    requireDimension(call, to, amount.d);
    requireAligned(call, to, from);
    requireContained(call, to);
    return ownPlan(plan::shift(to.layout, from.layout, amount.distance, amount.d, amount.cyclic));
}

Key keyOf(const Operand& to, const Operand& from, const Amount& amount) {
    Key key(Kind::Shift);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    key.add(amount.distance).add(amount.d).add(amount.cyclic);
    return key;
}

}  // namespace

void shift(const Operand& to, const Operand& from, Index amount, int d, Beyond beyond,
           Where where) {
    const Amount full{amount, d, beyond == Beyond::Wrapped};
    const Call call{full.cyclic ? "cshift" : "shift", where};
    const Key key = keyOf(to, from, full);
    Transfer& schedule =
        cachedTransfer(key, to.elementSize, [&] { return checkedPlan(call, to, from, full); });
    requireDisjoint(call, to, from);
    execute(schedule, call, key, to, from);
}

Schedule makeShift(const Operand& to, const Operand& from, Index amount, int d, Beyond beyond,
                   Where where) {
    const Amount full{amount, d, beyond == Beyond::Wrapped};
    const Call call{full.cyclic ? "Cshift" : "Shift", where};
    requireDisjoint(call, to, from);
    return ownedSchedule(call, keyOf(to, from, full), to, from,
                         [&] { return checkedPlan(call, to, from, full); });
}

}  // namespace hpspmd::detail
