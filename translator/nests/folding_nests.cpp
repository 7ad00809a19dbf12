// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/folding_nests.hpp"

#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

bool isLabelled(NodePtr statement) {
    return ast::is<ast::Case>(statement) || ast::is<ast::Default>(statement) ||
           ast::is<ast::Label>(statement);
}

/// Where arrays that the nest at k writes are summed behind it.
std::set<size_t> sumsBehind(size_t k, size_t end, const Nest& nest,
                            const std::unordered_map<std::string, std::vector<size_t>>& sums) {
    std::set<size_t> behind;
    for (const Access& access : nest.accesses) {
        const auto found = sums.find(nest.arrays[access.array].text);
        if (!access.writes || found == sums.end()) continue;
        for (const size_t sum : found->second)
            if (k < sum && sum < end) behind.insert(sum);
    }
    return behind;
}

}  // namespace

std::map<size_t, size_t> FoldingNests::foldableSums(std::span<const NodePtr> statements) {
    Sums sums;
    std::vector<size_t> labels;
    for (size_t k = 0; k < statements.size(); ++k) {
        if (const NodePtr array = summedArray(statements[k])) sums[ast::print(array)].push_back(k);
        if (isLabelled(statements[k])) labels.push_back(k);
    }
    labels.push_back(statements.size());
    std::map<size_t, size_t> sumOf;
    auto label = labels.begin();
    for (size_t k = 0; !sums.empty() && k < statements.size(); ++k) {
        while (*label <= k) ++label;
        if (const size_t sum = foldableSum(statements.first(*label), k, sums)) sumOf[k] = sum;
    }
    return sumOf;
}

void FoldingNests::addUp(const std::map<size_t, size_t>& sumOf, std::span<const NodePtr> statements,
                         std::vector<NodePtr>& result) {
    for (const auto& [k, sum] : sumOf) {
        const std::string& sums = plans.folds[behindDeclarations(statements[k])].sums;
        const NodePtr declaration =
            context.statement("hpspmd::detail::FoldedSums $sums;",
                              {{"$sums", context.identifier(sums, statements[k])}}, statements[k]);
        result[k] = ast::sequence(context.arena, {declaration, result[k]}, statements[k]);
        result[sum] = foldedSum(context, statements[sum], sums);
    }
}

/// Which of the sums behind the statement at k it can add up, being a nest; 0 if none.
size_t FoldingNests::foldableSum(std::span<const NodePtr> statements, size_t k, const Sums& sums) {
    const NodePtr overall = behindDeclarations(statements[k]);
    const Nest* nest = ast::is<ast::Overall>(overall) ? analysed(overall) : nullptr;
    if (!nest || unknownDistance(*nest)) return 0;
    for (const size_t sum : sumsBehind(k, statements.size(), *nest, sums)) {
        auto result = asFold(context, *nest, mentions(), statements[k], statements[sum]);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&result)) {
            leaveSum(statements[sum], *obstacle);
            continue;
        }
        Fold& fold = plans.folds[overall] = std::move(std::get<Fold>(result));
        fold.sums = context.names.name(fold.array + "_sums", sums_);
        return sum;
    }
    return 0;
}

void FoldingNests::leaveSum(NodePtr statement, const Obstacle& obstacle) {
    if (remarks && obstacle.place)
        remarks->missed("fast-nests", statement,
                        "the elements of '" + ast::print(summedArray(statement)) +
                            "' are stored before they are added up",
                        obstacle.place, "because it " + obstacle.reason);
}

NodePtr FoldingNests::unknownDistance(const Nest& nest) const {
    Reaches reaches(context, nest);
    for (const Access& access : nest.accesses)
        for (const Slot& slot : access.slots)
            if (!reaches.areKnown(slot, access.loop)) return slot.distance;
    return nullptr;
}

}  // namespace hpcc::nests
