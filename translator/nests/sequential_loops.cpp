// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/sequential_loops.hpp"

#include <algorithm>

#include "nests/reaches.hpp"

namespace hpcc::nests {

using ast::NodePtr;

static bool areSequential(const Nest& nest) {
    const auto isCounting = [](const Loop& loop) {
        return loop.kind == Loop::Kind::Counting && !loop.jumps && !loop.touchesForeign;
    };
    const auto isLocal = [](const Access& access) {
        return std::ranges::none_of(access.slots, [](const Slot& slot) { return slot.index; });
    };
    return nest.loops.size() > 1 && !nest.callsForeign && nest.assigned.empty() &&
           std::ranges::all_of(nest.loops, isCounting) &&
           std::ranges::any_of(nest.accesses, &Access::writes) &&
           std::ranges::all_of(nest.accesses, isLocal);
}

NodePtr worthOfSequential(Context& context, const Nest& nest) {
    if (!areSequential(nest)) return nullptr;
    const Reaches reaches(context, nest);
    const NodePtr origin = nest.loops.front().statement;
    NodePtr rounds = nullptr;
    for (const Loop& loop : nest.loops) {
        if (!reaches.isFixed(loop.first) || !reaches.isFixed(loop.end)) continue;
        const NodePtr own = context.expression(
            loop.step > 0 ? "(double($end) - double($first))" : "(double($first) - double($end))",
            {{"$first", context.made(loop.first, origin)},
             {"$end", context.made(loop.end, origin)}},
            origin);
        rounds =
            rounds ? context.expression("$a * $b", {{"$a", rounds}, {"$b", own}}, origin) : own;
    }
    return rounds ? context.expression("$rounds >= 64", {{"$rounds", rounds}}, origin) : nullptr;
}

}  // namespace hpcc::nests
