// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/collecting.hpp"

#include <algorithm>

#include "ast/search.hpp"

namespace hpcc::regions {

ArraySet neededBy(const Method& method, const Mentioned& mentioned) {
    ArraySet needed;
    for (const DividedArray* each : method.changed) {
        const bool isNamed =
            mentioned.elements.contains(each->symbol) || mentioned.wholes.contains(each->symbol);
        const bool isSeen = (mentioned.callsOthers || mentioned.returns) && !each->isLocal();
        if (isNamed || isSeen) needed.insert(each);
    }
    return needed;
}

void tellCollected(const Method& method, NodePtr statement, const std::vector<NodePtr>& loops,
                   diagnostics::Engine& engine) {
    const auto isLoop = [](NodePtr each) {
        return ast::isAny<ast::For, ast::RangeFor, ast::While, ast::DoWhile>(each);
    };
    const Mentioned mentioned = mentionedIn(statement, method.arrays);
    if (mentioned.returns || ast::anywhere(statement, isLoop)) return;
    ArraySet needed = neededBy(method, mentioned);
    for (const auto& [single, line] : method.lines)
        if (attributedNode(single) == statement && line.array->isInBlocks())
            needed.insert(line.array);
    for (const DividedArray* each : needed) {
        const auto loop = std::ranges::find_if(
            loops, [&](NodePtr loop) { return method.changedIn(loop).contains(each); });
        if (loop == loops.end()) continue;
        const source::Span place = (*loop)->span();
        engine
            .report(diagnostics::Id::CollectedInLoop, statement->span(), each->symbol->name,
                    "before")
            .note({place.text, place.begin, place.begin + 1}, "this loop");
    }
}

void tellCollectedBehind(const Method& loop, NodePtr around, diagnostics::Engine& engine) {
    const source::Span place = around->span();
    for (const DividedArray* each : loop.changed)
        engine
            .report(diagnostics::Id::CollectedInLoop, headOf(attributedNode(loop.statement)),
                    each->symbol->name, "behind")
            .note({place.text, place.begin, place.begin + 1}, "this loop")
            .help("a function with [[hpspmd::dist]] around both collects it once");
}

}  // namespace hpcc::regions
