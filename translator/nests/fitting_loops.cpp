// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fitting_loops.hpp"

#include <algorithm>
#include <map>

#include "analysis/constant.hpp"
#include "ast/print.hpp"

namespace hpcc::nests {

using ast::NodePtr;

void FittingLoops::find(NestPlan& plan, ArrayPairs& apart) {
    for (const Loop& loop : nest_.loops)
        if (loop.isInnermost && !plan.fold && !plan.device)
            if (auto fit = fitOf(loop, apart)) fits_.emplace(&loop, std::move(*fit));
    for (const auto& each : test_.unchecked()) {
        const bool isCovered = std::ranges::any_of(
            fits_, [&](const auto& fit) { return fit.second.covered.contains(each); });
        const NodePtr subscript = accessAt(nest_, each.first)->slots[each.second].subscript;
        (isCovered ? plan.fitting : plan.checked).push_back(subscript);
    }
}

std::optional<FittingLoops::Fit> FittingLoops::fitOf(const Loop& loop, ArrayPairs& apart) {
    const auto isCovered = [&](const Access& access) {
        for (size_t r = 0; r < access.slots.size(); ++r)
            if (test_.unchecked().contains({access.node, r})) return false;
        return true;
    };
    Reaches reaches(context_, nest_, loop, isCovered);
    Fit fit;
    std::map<std::string, std::map<std::string, NodePtr>> values;  // by their extents and texts
    std::set<std::string> ofRow;  // extents that the counter itself is compared with
    for (const size_t k : loop.accesses) {
        const Access& access = nest_.accesses[k];
        for (size_t r = 0; r < access.slots.size(); ++r) {
            if (!test_.unchecked().contains({access.node, r})) continue;
            if (loop.endsPerRow && loop.step == 1 && isIndex(access.slots[r], loop)) {
                ofRow.insert(elements_.extentOf(access, r));
                fit.covered.insert({access.node, r});
                continue;
            }
            const NodePtr reach = reaches.ofSubscript(access, r, {}).reach;
            if (!reach) continue;
            values[elements_.extentOf(access, r)].emplace(ast::print(reach), reach);
            fit.covered.insert({access.node, r});
        }
    }
    if (fit.covered.empty()) return std::nullopt;
    fit.declarations = reaches.takeDeclarations();
    if (loop.endsPerRow) fit.condition = meets(loop, ofRow);
    apart.insert(reaches.gatheredApart().begin(), reaches.gatheredApart().end());
    for (const auto& [extent, all] : values) {
        std::vector<NodePtr> subscripts;
        for (const auto& [text, reach] : all) subscripts.push_back(reach);
        const NodePtr question = context_.expression(
            "hpspmd::detail::areThere({$subscripts}, $n)",
            {{"$subscripts", subscripts}, {"$n", context_.identifier(extent, loop.statement)}},
            loop.statement);
        fit.condition = fit.condition ? context_.expression(
                                            "$l && $r", {{"$l", fit.condition}, {"$r", question}},
                                            loop.statement)
                                      : question;
    }
    return fit;
}

NodePtr FittingLoops::meets(const Loop& loop, const std::set<std::string>& extents) {
    const ast::Bindings ends = {{"$first", loop.first}, {"$end", loop.end}};
    if (extents.empty()) return context_.expression("$first <= $end", ends, loop.statement);
    return context_.expression(
        "hpspmd::detail::isRow($first, $end, " + elements_.leastOf(extents) + ")", ends,
        loop.statement);
}

NodePtr FittingLoops::written(const Loop& loop) {
    const auto found = fits_.find(&loop);
    if (found == fits_.end()) return write_(loop);
    const Fit& fit = found->second;
    std::vector<NodePtr> before;
    for (const NodePtr declaration : fit.declarations)
        before.push_back(elements_.fast(declaration));
    const NodePtr condition = elements_.fast(fit.condition);
    elements_.cover(&fit.covered);
    const NodePtr fitting = write_(loop);
    elements_.cover(nullptr);
    const NodePtr choice = context_.statement(
        fitting->is<ast::Compound>() ? "if ($test) $fitting; else $checked;"
                                     : "if ($test) {\n    $fitting;\n} else $checked;",
        {{"$test", condition}, {"$fitting", fitting}, {"$checked", write_(loop)}}, loop.statement);
    return context_.behind(before, choice, loop.statement);
}

int FittingLoops::timesUnrolled(const Loop& loop) const {
    if (fits_.contains(&loop) ? !elements_.covers() || !elements_.isCheckedIn(loop)
                              : !test_.isUnrolled(loop))
        return 0;
    const auto isSame = [&](NodePtr e) {
        return analysis::constantValue(e).has_value() || reaches_.isFixed(e);
    };
    const bool isSameEach =
        loop.kind == Loop::Kind::Counting && isSame(loop.first) && isSame(loop.end);
    return isSameEach && !fits_.contains(&loop) ? few : two;
}

NodePtr FittingLoops::unrolled(const Loop& loop, NodePtr statement) const {
    const int times = timesUnrolled(loop);
    return times == 0 ? statement
                      : context_.statement("HPSPMD_UNROLLED(" + std::to_string(times) + ")\n$loop;",
                                           {{"$loop", statement}}, statement);
}

}  // namespace hpcc::nests
