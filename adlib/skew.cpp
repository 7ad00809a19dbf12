// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/skew.hpp"

#include <adlib/skew.hpp>

#include "checks/checks.hpp"
#include "contents.hpp"
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

Key keyOf(const Operand& to, const Operand& from, const Integers& amounts, int d, bool cyclic) {
    Key key(Kind::Skew);
    key.add(to.layout).add(from.layout).add(static_cast<Index>(to.elementSize));
    key.add(amounts.array.layout).add(d).add(cyclic);
    return key;
}

/// The skew made last of one key, and the amounts that it was made for.
struct LastSkew final : Prepared {
    struct Made {
        IntegerContents amounts;
        Transfer transfer;
    };
    std::unique_ptr<Made> made;
};

}  // namespace

// Each process plans by its own amounts, and without messages, so that some may plan anew while
// others know their plan.
void skew(const Operand& to, const Operand& from, const Integers& amounts, int d, Beyond beyond,
          Where where) {
    const bool cyclic = beyond == Beyond::Wrapped;
    const Call call{cyclic ? "cskew" : "skew", where};
    const Key key = keyOf(to, from, amounts, d, cyclic);
    auto& last = cached<LastSkew>(apg(), key, [] { return std::make_unique<LastSkew>(); });
    if (!last.made || !last.made->amounts.areIn(amounts))
        last.made.reset(new LastSkew::Made{
            IntegerContents(amounts),
            Transfer(checkedPlan(call, to, from, amounts, d, cyclic), to.elementSize)});
    requireDisjointFromBoth(call, to, from, amounts);
    execute(last.made->transfer, call, key, to, from);
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
