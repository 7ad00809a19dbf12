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

}  // namespace

void shift(const Operand& to, const Operand& from, Index amount, int d, Beyond beyond,
           Where where) {
    const bool cyclic = beyond == Beyond::Wrapped;
    const Call call{cyclic ? "cshift" : "shift", where};
    Key key(Kind::Shift);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    key.add(amount).add(d).add(cyclic);
    Transfer& schedule = cachedTransfer(key, to.elementSize, [&] {
        return checkedPlan(call, to, from, {amount, d, cyclic});
    });
    requireDisjoint(call, to, from);
    schedule.execute(to.data, from.data);
}

Schedule makeShift(const Operand& to, const Operand& from, Index amount, int d, Beyond beyond,
                   Where where) {
    const bool cyclic = beyond == Beyond::Wrapped;
    const Call call{cyclic ? "Cshift" : "Shift", where};
    requireDisjoint(call, to, from);
    return ownedSchedule(call, to, from, [&] {
        return checkedPlan(call, to, from, {amount, d, cyclic});
    });
}

}  // namespace hpspmd::detail
