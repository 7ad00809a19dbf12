// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/loop_runs.hpp"

#include <algorithm>

#include "nests/piece_loops.hpp"

namespace hpcc::nests {

using ast::NodePtr;

void LoopRuns::prepare(bool wantsDevices) {
    for (const Loop& loop : nest_.loops) {
        if (loop.kind != Loop::Kind::Overall) continue;
        const std::string variable(loop.variable);
        Names& names = names_[&loop];
        const auto isFixed = [&](NodePtr part) { return reaches_.isFixed(part); };
        names.atEntry = std::ranges::all_of(tripletOf(loop)->children(), isFixed);
        names.global = context_.fresh(variable + "_global");
        held_[&loop] = context_.fresh(variable + (names.atEntry ? "_run" : "_held"));
        names.run = names.atEntry ? held(loop) : context_.fresh(variable + "_run");
        declare(loop, names);
        reaches_.nameRun(loop, held(loop));
        require(loop, "");
        if (!names.atEntry && loop.step != 1) require(loop, ".isDense()");
        if (loop.usesGlobal || (!names.atEntry && wantsDevices)) require(loop, ".isEven()");
        requireOtherDimensions(loop);
        names.mayRaise = !names.atEntry && !test_.requireInside(loop);
    }
}

void LoopRuns::declare(const Loop& loop, const Names& names) {
    std::vector<NodePtr> arguments{context_.made(loop.range, loop.range)};
    if (names.atEntry)
        for (const NodePtr part : tripletArguments(context_, loop)) arguments.push_back(part);
    declarations_.push_back(context_.statement(
        "const hpspmd::detail::Run $run($arguments);",
        {{"$run", context_.identifier(held(loop), loop.range)}, {"$arguments", arguments}},
        loop.range));
}

void LoopRuns::require(const Loop& loop, const char* property) {
    test_.require(context_.expression(held(loop) + property, {}, loop.range));
}

/// Than those of the loops round it, where no array with both indices has asked for that.
void LoopRuns::requireOtherDimensions(const Loop& loop) {
    for (const Loop* outer = loop.outer; outer; outer = outer->outer)
        if (outer->kind == Loop::Kind::Overall && !areUsedTogether(nest_, loop, *outer))
            test_.require(
                context_.expression("!$outer.sharesDimension($run)",
                                    {{"$outer", context_.identifier(held(*outer), loop.range)},
                                     {"$run", context_.identifier(held(loop), loop.range)}},
                                    loop.range));
}

RunNames LoopRuns::all() const {
    RunNames runs;
    for (const auto& [loop, held] : held_) runs[loop] = {names_.at(loop).run, held};
    return runs;
}

std::vector<std::string> LoopRuns::inOrder() const {
    std::vector<std::string> result;
    for (const Loop& loop : nest_.loops)
        if (held_.contains(&loop)) result.push_back(held(loop));
    return result;
}

bool LoopRuns::mayRaise() const {
    return std::ranges::any_of(names_, [](const auto& each) { return each.second.mayRaise; });
}

bool LoopRuns::areKnown(const Loop& loop) const {
    return loop.kind == Loop::Kind::Counting || names_.at(&loop).atEntry;
}

NodePtr runOfIteration(Context& context, const Loop& loop, const LoopRuns::Names& names,
                       const std::string& held, const std::function<NodePtr(NodePtr)>& fast) {
    const NodePtr origin = loop.statement->child(ast::Overall::headers);
    return context.statement(std::string("const hpspmd::detail::Run $run = $held.") +
                                 (names.mayRaise ? "part" : "inside") + "($arguments);",
                             {{"$run", context.identifier(names.run, origin)},
                              {"$held", context.identifier(held, origin)},
                              {"$arguments", tripletArguments(context, loop, fast)}},
                             origin);
}

}  // namespace hpcc::nests
