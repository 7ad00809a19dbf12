#include "plan/skew.hpp"

#include <adlib/skew.hpp>

#include "checks/checks.hpp"
#include "schedule/run.hpp"

namespace hpspmd::detail {
namespace {

plan::Plan checkedPlan(const Call& call, const Operand& to, const Operand& from,
                       const Integers& amounts, int d, bool cyclic) {
    requireDimension(call, to, d);
    requireAligned(call, to, from);
    requireAlignedWithout(call, amounts.array, to, d);
    requireContained(call, to);
    const auto at = [&](Index offset) { return amounts.at(offset); };
    return plan::skew(to.layout, from.layout, {amounts.array.layout, at}, d, cyclic, ownRank());
}

void requireDisjointFromBoth(const Call& call, const Operand& to, const Operand& from,
                             const Integers& amounts) {
    requireDisjoint(call, to, from);
    requireDisjoint(call, to, amounts.array);
}

// Nothing is kept under this key: the plan depends on the amounts too.
Key keyOf(const Operand& to, const Operand& from, const Integers& amounts, int d, bool cyclic) {
    Key key(Kind::Skew);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    key.add(amounts.array.layout).add(d).add(cyclic);
    return key;
}

}  // namespace

void skew(const Operand& to, const Operand& from, const Integers& amounts, int d, Beyond beyond,
          Where where) {
    const bool cyclic = beyond == Beyond::Wrapped;
    const Call call{cyclic ? "cskew" : "skew", where};
    Transfer transfer(checkedPlan(call, to, from, amounts, d, cyclic), to.elementSize);
    requireDisjointFromBoth(call, to, from, amounts);
    execute(transfer, call, keyOf(to, from, amounts, d, cyclic), to, from);
}

Schedule makeSkew(const Operand& to, const Operand& from, const Integers& amounts, int d,
                  Beyond beyond, Where where) {
    const bool cyclic = beyond == Beyond::Wrapped;
    const Call call{cyclic ? "Cskew" : "Skew", where};
    requireDisjointFromBoth(call, to, from, amounts);
    return ownedSchedule(call, keyOf(to, from, amounts, d, cyclic), to, from,
                         [&] { return checkedPlan(call, to, from, amounts, d, cyclic); });
}

}  // namespace hpspmd::detail
