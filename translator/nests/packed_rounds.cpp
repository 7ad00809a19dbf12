// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/packed_rounds.hpp"

#include <algorithm>

#include "nests/packed_rows.hpp"

namespace hpcc::nests {

bool packRounds(Context& context, NestPlan& plan, Elements& elements, const EntryTest& test,
                ArrayPairs& apart) {
    const Nest& nest = *plan.nest;
    bool hasSome = false;
    for (const Loop& loop : nest.loops) {
        if (loop.isInnermost || loop.step != 1 || plan.fold ||
            std::ranges::count_if(accessesIn(nest, loop), &Access::writes) != 1)
            continue;
        ArrayPairs pairs;
        if (!isIndependentRound(nest, loop, pairs)) continue;
        const auto taken = context.taken;
        const bool isPacked =
            packedRows(context, nest, loop, elements, test, {std::string(loop.variable), ""});
        context.taken = taken;
        if (!isPacked) continue;
        apart.merge(pairs);
        plan.forms[&loop].kind = Form::Kind::Independent;
        hasSome = true;
    }
    return hasSome;
}

void notePacked(NestPlan& plan, const Loop& loop) {
    for (const Loop& each : loopsIn(*plan.nest, loop)) {
        if (&each == &loop) continue;
        plan.forms[&each] = {.kind = Form::Kind::Packed};
        std::erase(plan.ordered, &each);
    }
    plan.forms[&loop].kind = loop.step == 2 ? Form::Kind::Alternate : Form::Kind::Packed;
    if (loop.step == 2) return;
    const std::string note = "with rows computed in packs";
    if (std::ranges::find(plan.notes, note) == plan.notes.end()) plan.notes.push_back(note);
}

}  // namespace hpcc::nests
