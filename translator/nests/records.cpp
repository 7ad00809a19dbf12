// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/records.hpp"

#include <algorithm>

#include "nests/long_rows.hpp"
#include "nests/loop_ends.hpp"
#include "nests/meeting_iteration.hpp"
#include "nests/piece_loops.hpp"
#include "nests/record_test.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// True if the numbers of a loop are those of the loop round it, too.
bool goesOn(const Loop& loop) {
    return loop.outer && std::ranges::none_of(lastingIn(loop), [&](std::string_view name) {
               return loop.outer->declared.contains(name);
           });
}

}  // namespace

void planRecords(Context& context, NestPlan& plan, const Elements& elements,
                 const Reaches& reaches) {
    const Nest& nest = *plan.nest;
    for (const Loop& loop : nest.loops) {
        Form& form = plan.forms[&loop];
        if (form.kind != Form::Kind::InOrder || !loop.isInnermost || loop.jumps || loop.step != 1 ||
            isShort(loop) || !mayBeLongRow(nest, loop) || elements.isCheckedIn(loop) || plan.fold ||
            (loop.kind == Loop::Kind::Counting && !hasEndsAtStart(loop, reaches)) ||
            !recordTest(context, nest, loop, "found"))
            continue;
        form.isInBatches = true;
        std::erase(plan.ordered, &loop);
        plan.notes.push_back("with the loop over '" + std::string(loop.variable) +
                             "' only where it comes to a new largest or least number");
    }
}

NodePtr inBatches(Context& context, const Nest& nest, const Loop& loop, const BatchLoops& loops) {
    const NodePtr origin = headerOf(loop);
    const std::string variable(loop.variable), whole = context.fresh(variable + "_whole"),
                                               batch = context.fresh(variable + "_batch"),
                                               found = context.fresh(variable + "_found");
    const auto name = [&](const std::string& text) { return context.identifier(text, origin); };
    const auto over = [&](const std::string& part, NodePtr body) {
        const NodePtr fast = loops.fastBody(body);
        return loop.kind == Loop::Kind::Overall ? runLoop(context, loop, part, fast)
                                                : partLoop(context, loop, part, fast);
    };
    const std::string mark =
        "HPSPMD_REDUCTION(" + variable + ", reduction(| : " + found + "))\n        $test;\n";
    const NodePtr batches = context.statement(
        "for (hpspmd::detail::Batch $batch($whole); $batch2; $batch3.next()) {\n"
        "    if ($batch4.mayBeLeftOut()) {\n"
        "        int $found = 0;\n"
        "        " +
            mark +
            "        if ($batch5.isLeftOut($found2 != 0)) continue;\n"
            "    }\n"
            "    $loop;\n"
            "}",
        {{"$batch", name(batch)},
         {"$batch2", name(batch)},
         {"$batch3", name(batch)},
         {"$batch4", name(batch)},
         {"$batch5", name(batch)},
         {"$whole", name(whole)},
         {"$found", name(found)},
         {"$found2", name(found)},
         {"$test", over(batch, recordTest(context, nest, loop, found))},
         {"$loop", over(batch, bodyOf(loop))}},
        origin);
    return context.statement(
        "{\n"
        "    const hpspmd::detail::WholeLoop $whole{$first, $last, " +
            std::string(goesOn(loop) ? "true" : "false") +
            "};\n"
            "    if ($whole2.isLong()) {\n"
            "        $batches;\n"
            "    } else {\n"
            "        $loop;\n"
            "    }\n"
            "}",
        {{"$whole", name(whole)},
         {"$first", loops.first},
         {"$last", loops.last},
         {"$whole2", name(whole)},
         {"$batches", batches},
         {"$loop", over(whole, bodyOf(loop))}},
        origin);
}

}  // namespace hpcc::nests
