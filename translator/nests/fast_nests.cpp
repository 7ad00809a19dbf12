#include "nests/fast_nests.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ast/remarks.hpp"
#include "nests/fast_nest.hpp"
#include "nests/fused_form.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/reaches.hpp"
#include "nests/threads.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class FastNests : public NestRewriter {
public:
    using NestRewriter::NestRewriter;

    NodePtr rewriteCompound(NodePtr block) override {
        const auto children = block->children();
        const std::map<size_t, size_t> sumOf = foldableSums(children);
        const NodePtr rewritten = rewriteChildren(block);
        if (sumOf.empty()) return rewritten;
        std::vector<NodePtr> result(rewritten->children().begin(), rewritten->children().end());
        for (const auto& [k, sum] : sumOf) {
            const std::string& sums = folds_[nestIn(children[k])].sums;
            const NodePtr declaration =
                context.statement("hpspmd::detail::FoldedSums $sums;",
                                  {{"$sums", context.identifier(sums, children[k])}}, children[k]);
            result[k] = ast::sequence(context.arena, {declaration, result[k]}, children[k]);
            result[sum] = foldedSum(context, children[sum], sums);
        }
        return context.arena.rebuilt(block, block, result);
    }

    NodePtr rewriteOverall(NodePtr overall) override {
        const auto result = analysedInGeneral(overall);
        const Nest* nest = std::get_if<Nest>(&result);
        if (!nest) return leave(overall, std::get<Obstacle>(result));
        if (nest->general.place) return general(*nest, nest->general);
        if (const NodePtr distance = unknownDistance(*nest))
            return general(
                *nest, {distance, "shifts an index by a distance that is not known at its entry"});
        const auto fold = foldOf(overall, *nest);
        return fastForm(*nest, fold ? &*fold : nullptr, {});
    }

    /// Several nests that can be one: the fast form of that one, or else they.
    NodePtr rewriteIf(NodePtr choice) override {
        if (!isFused(choice)) return rewriteChildren(choice);
        const NodePtr otherwise = rewrite(choice->child(ast::If::otherwise));
        const auto then = choice->child(ast::If::then)->children();
        const auto result = analysed(then.back());
        const Nest* nest = std::get_if<Nest>(&result);
        if (!nest) return otherwise;
        const auto conditions =
            choice->child(ast::If::condition)->child(ast::Call::arguments)->children();
        return fastForm(
            *nest, nullptr,
            {{conditions.begin(), conditions.end()}, {then.begin(), then.end() - 1}, otherwise});
    }

private:
    NodePtr fastForm(const Nest& nest, const Fold* fold, const Alternative& alternative) {
        const NodePtr overall = nest.loops.front().statement;
        context.taken.clear();
        context.notes.clear();
        context.ordered.clear();
        context.untiled = {};
        context.unthreaded = {};
        const NodePtr result = withFastForm(context, nest, fold, alternative);
        std::string text = "this nest has a fast form of plain loops, behind a test at its entry";
        for (const std::string& note : context.notes) text += ", " + note;
        if (remarks) remarks->fired("fast-nests", headers(overall), text);
        if (remarks && context.untiled.place)
            remarks->missed("fast-nests", headers(overall),
                            "the sums of this nest are computed one by one", context.untiled.place,
                            "because it " + context.untiled.reason);
        if (remarks && context.wantsThreads) remarkOnThreads(overall);
        for (const Loop* loop : context.ordered)
            if (remarks)
                remarks->missed("reductions", loop->statement,
                                "the iterations of this loop are computed one by one",
                                loop->statement,
                                "because it assigns '" + std::string(*lastingIn(*loop).begin()) +
                                    "' other than by adding or keeping the largest or least "
                                    "number");
        return result;
    }

    /// A nest without a fast form, in threads if it can be. Those inside of it may have one.
    NodePtr general(const Nest& nest, const Obstacle& obstacle) {
        const NodePtr overall = nest.loops.front().statement;
        const Reaches reaches(context, nest);
        context.taken.clear();
        context.unthreaded = {};
        const auto division = divisionOf(context, nest, reaches);
        if (remarks && context.wantsThreads) remarkOnThreads(overall);
        if (remarks) remarkOnForm(overall, obstacle);
        const bool wantsThreads =
            std::exchange(context.wantsThreads, context.wantsThreads && !division);
        const NodePtr rewritten = rewriteChildren(overall);
        context.wantsThreads = wantsThreads;
        return division ? markedForThreads(context, nest, reaches, *division, rewritten)
                        : rewritten;
    }

    struct Folding {
        NodePtr nestStatement, sumStatement;
        std::string sums;
    };

    /// The nest that a statement is, perhaps with declarations before it.
    static NodePtr nestIn(NodePtr statement) {
        while (ast::is<ast::Compound>(statement) && !statement->children().empty()) {
            const auto parts = statement->children();
            if (!std::all_of(parts.begin(), parts.end() - 1, ast::is<ast::Declaration>))
                return nullptr;
            statement = parts.back();
        }
        return ast::is<ast::Overall>(statement) ? statement : nullptr;
    }

    static bool isLabelled(NodePtr statement) {
        return ast::is<ast::Case>(statement) || ast::is<ast::Default>(statement) ||
               ast::is<ast::Label>(statement);
    }

    /// Where statements sum an array, by its name.
    using Sums = std::unordered_map<std::string, std::vector<size_t>>;

    /// From the place of each nest that can add up a sum behind it to the place of that sum.
    std::map<size_t, size_t> foldableSums(std::span<const NodePtr> statements) {
        Sums sums;
        std::vector<size_t> labels;
        for (size_t k = 0; k < statements.size(); ++k) {
            if (const NodePtr array = summedArray(statements[k]))
                sums[ast::print(array)].push_back(k);
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

    /// Where arrays that the nest at k writes are summed behind it.
    static std::set<size_t> sumsBehind(size_t k, size_t end, const Nest& nest, const Sums& sums) {
        std::set<size_t> behind;
        for (const Access& access : nest.accesses) {
            const auto found = sums.find(nest.arrays[access.array].text);
            if (!access.writes || found == sums.end()) continue;
            for (const size_t sum : found->second)
                if (k < sum && sum < end) behind.insert(sum);
        }
        return behind;
    }

    /// Which of the sums behind the statement at k it can add up, being a nest; 0 if none.
    size_t foldableSum(std::span<const NodePtr> statements, size_t k, const Sums& sums) {
        const NodePtr overall = nestIn(statements[k]);
        if (!overall) return 0;
        const auto result = analysed(overall);
        const Nest* nest = std::get_if<Nest>(&result);
        if (!nest || unknownDistance(*nest)) return 0;
        for (const size_t sum : sumsBehind(k, statements.size(), *nest, sums)) {
            const auto fold = asFold(context, *nest, mentions(), statements[k], statements[sum]);
            if (const Obstacle* obstacle = std::get_if<Obstacle>(&fold)) {
                leaveSum(statements[sum], *obstacle);
                continue;
            }
            folds_[overall] = {statements[k], statements[sum],
                               context.names.name(std::get<Fold>(fold).array + "_sums", sums_)};
            return sum;
        }
        return 0;
    }

    void leaveSum(NodePtr statement, const Obstacle& obstacle) {
        if (remarks && obstacle.place)
            remarks->missed("fast-nests", statement,
                            "the elements of '" + ast::print(summedArray(statement)) +
                                "' are stored before they are added up",
                            obstacle.place, "because it " + obstacle.reason);
    }

    std::optional<Fold> foldOf(NodePtr overall, const Nest& nest) {
        const auto found = folds_.find(overall);
        if (found == folds_.end()) return std::nullopt;
        const Folding& folding = found->second;
        Fold fold = std::get<Fold>(
            asFold(context, nest, mentions(), folding.nestStatement, folding.sumStatement));
        fold.sums = folding.sums;
        return fold;
    }

    static NodePtr headers(NodePtr overall) { return overall->child(ast::Overall::headers); }

    void remarkOnThreads(NodePtr overall) {
        const Obstacle& obstacle = context.unthreaded;
        if (obstacle.place)
            remarks->missed("threads", headers(overall), "one thread computes this nest",
                            obstacle.place, "because it " + obstacle.reason);
        else
            remarks->fired("threads", headers(overall),
                           "the iterations of this nest's outermost loop are divided among "
                           "threads");
    }

    NodePtr leave(NodePtr overall, const Obstacle& obstacle) {
        if (remarks && context.wantsThreads)
            remarks->missed("threads", headers(overall), "one thread computes this nest",
                            obstacle.place, "because it has no fast form: it " + obstacle.reason);
        if (remarks) remarkOnForm(overall, obstacle);
        return rewriteChildren(overall);
    }

    void remarkOnForm(NodePtr overall, const Obstacle& obstacle) {
        remarks->missed("fast-nests", headers(overall), "this nest has no fast form",
                        obstacle.place, "because here it " + obstacle.reason);
    }

    NodePtr unknownDistance(const Nest& nest) const {
        Reaches reaches(context, nest);
        for (const Access& access : nest.accesses)
            for (const Slot& slot : access.slots)
                if (!reaches.areKnown(slot, access.loop)) return slot.distance;
        return nullptr;
    }

    std::unordered_map<NodePtr, Folding> folds_;  // by the nest
    ast::FreshNames::Given sums_;                 // names given to sums
};

}  // namespace

ast::Unit fastNests(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<FastNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
