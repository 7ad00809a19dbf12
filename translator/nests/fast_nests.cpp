// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fast_nests.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/loop.hpp"
#include "ast/remarks.hpp"
#include "nests/fast_nest.hpp"
#include "nests/folding_nests.hpp"
#include "nests/fusable.hpp"
#include "nests/launch.hpp"
#include "nests/nest_remarks.hpp"
#include "nests/pivots.hpp"
#include "nests/reaches.hpp"
#include "nests/scratch_row.hpp"
#include "nests/sequential_loops.hpp"
#include "nests/sums_of_products.hpp"
#include "nests/texts_in_front.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class FastNests : public FoldingNests {
public:
    FastNests(Context& context, ast::Unit& unit)
        : FoldingNests(context, unit), wantsThreads_(unit.threads) {}

    NodePtr rewriteCompound(NodePtr block) override {
        const auto children = block->children();
        const std::map<size_t, size_t> sumOf = foldableSums(children);
        std::vector<NodePtr> result;
        while (result.size() < children.size()) {
            const NodePtr next = children[result.size()];
            if (const Fused* group = lookUp(plans.groups, next))
                append(result, *group, children.subspan(result.size(), group->length));
            else
                result.push_back(rewrite(next));
        }
        addUp(sumOf, children, result);
        std::erase(result, nullptr);
        return std::ranges::equal(result, children) ? block
                                                    : context.arena.rebuilt(block, block, result);
    }

    NodePtr rewriteTranslationUnit(NodePtr unit) override {
        for (size_t k = 0; k < unit->children().size(); ++k)
            unit = withKernels(context, plans, unit, k, rewrite(unit->children()[k]));
        return unit;
    }

    NodePtr rewriteOverall(NodePtr overall) override {
        const Fused* fused = lookUp(plans.joined, overall);
        ++nestsRound_;
        const NodePtr result = fused ? together(*fused, {overall}) : alone(overall);
        --nestsRound_;
        return result;
    }

    /// A counting loop round a nest becomes a nest with it where that gains.
    NodePtr rewriteFor(NodePtr loop) override {
        const NodePtr overall = plans.wantsDevices ? nullptr : nestInside(loop);
        const Nest* const nest = overall ? analysed(loop) : nullptr;
        if (!overall)
            if (const NodePtr sequential = outsideOfNests(loop)) return sequential;
        if (!nest || unknownDistance(*nest)) return withPivots(loop);
        NestPlan plan{.members = {overall}, .whole = nest, .nest = nest};
        if (isOverRows(*nest) && isAskedOnce(*nest))
            plan.notes.push_back("which is asked once, before the loop round it");
        else if (!isAskedOnce(*nest, true) || !reorder(plan))
            return rewriteChildren(loop);
        NodePtr otherwise = nullptr;
        spare([&] { otherwise = rewriteChildren(loop); });
        return fastForm(plans.all.emplace_back(std::move(plan)), otherwise);
    }

private:
    /// A loop over the pivots of an elimination takes several of them at once.
    NodePtr withPivots(NodePtr loop) {
        const bool mayBe = !nestsRound_ && !wantsThreads_ && !plans.wantsDevices;
        const NodePtr overall = mayBe ? nestOfPivots(loop) : nullptr;
        const Nest* const nest = overall ? analysed(overall) : nullptr;
        if (!nest || !behindPivots(context, loop, *nest, loop)) return rewriteChildren(loop);
        ofPivots_ = overall;
        return behindPivots(context, loop, *nest, rewriteChildren(loop));
    }

    /// The fast form of counting loops outside of nests; null if they have none.
    NodePtr outsideOfNests(NodePtr loop) {
        const bool mayBe = !plans.wantsDevices && !nestsRound_ && analysis::countingLoop(loop);
        const Nest* const nest = mayBe ? analysed(loop) : nullptr;
        const NodePtr worth = nest ? worthOfSequential(context, *nest) : nullptr;
        if (!worth) return nullptr;
        NestPlan plan{.members = {loop}, .whole = nest, .nest = nest};
        plan.worth = worth;
        return fastForm(plans.all.emplace_back(std::move(plan)), loop);
    }

    /// The nest that is all that counting loops do, each directly in the one before; null if there
    /// is none.
    NodePtr nestInside(NodePtr loop) const {
        for (; ast::is<ast::For>(loop); loop = soleStatement(loop->child(ast::For::body)))
            if (!analysis::countingLoop(loop)) return nullptr;
        if (isStamped(loop)) loop = loop->child(1);
        const bool isAlone = ast::is<ast::Overall>(loop) && !lookUp(plans.folds, loop) &&
                             !lookUp(plans.joined, loop);
        return isAlone ? loop : nullptr;
    }

    /// A loop round a nest of one loop, whose questions are asked once, before it: they take about
    /// as long as a row.
    bool isOverRows(const Nest& nest) const { return !wantsThreads_ && nest.loops.size() == 2; }

    /// True if the answers before the loop hold for all its iterations. What they write makes ghost
    /// cells stale; those of other arrays stay fresh if `areApart`.
    bool isAskedOnce(const Nest& nest, bool areApart = false) {
        const Loop& rows = nest.loops.front();
        const auto staysFresh = [&](size_t array) {
            return areApart && std::ranges::none_of(nest.accesses, [&](const Access& access) {
                       return access.writes && access.array == array;
                   });
        };
        context.taken.clear();
        Reaches reaches(context, nest);
        if (rows.kind != Loop::Kind::Counting || rows.jumps || nest.callsForeign ||
            !reaches.of(rows))
            return false;
        return std::ranges::all_of(nest.accesses, [&](const Access& access) {
            return std::ranges::all_of(access.slots, [&](const Slot& slot) {
                return slot.index ? (slot.shift == 0 && !slot.distance) || staysFresh(access.array)
                                  : reaches.of(slot.subscript, access.loop) != nullptr;
            });
        });
    }

    /// Nests that become one, as many statements as they are: those missing are null.
    void append(std::vector<NodePtr>& result, const Fused& group,
                std::span<const NodePtr> statements) {
        const size_t end = result.size() + statements.size();
        result.insert(result.end(), group.moved.begin(), group.moved.end());
        std::vector<NodePtr> nests;
        for (const NodePtr statement : statements)
            if (std::ranges::find(group.moved, statement) == group.moved.end())
                nests.push_back(statement);
        result.push_back(together(group, nests));
        result.resize(end);
    }

    /// The fast form of what nests become, or else they.
    NodePtr together(const Fused& fused, std::vector<NodePtr> nests) {
        spare([&] {
            for (NodePtr& nest : nests)
                nest = nest == fused.members.front() && !fused.depth ? alone(nest) : rewrite(nest);
        });
        const NodePtr origin = fused.members.front();
        const NodePtr otherwise = context.statement(
            "{\n"
            "    $nests;\n"
            "}",
            {{"$nests", nests}}, origin);
        NestPlan& plan = plans.all.emplace_back(
            NestPlan{.members = fused.members, .whole = fused.whole, .fused = &fused});
        plan.nest = analysed(fused.overall);
        return context.behind(fused.declarations, fastForm(plan, otherwise), origin);
    }

    /// Makes the nests that run if an entry test says no: nothing is told of them but of kernels.
    void spare(const auto& make) {
        const size_t first = plans.all.size();
        ast::Remarks* const listening = remarks;
        if (!plans.wantsDevices) remarks = nullptr;
        make();
        remarks = listening;
        for (size_t k = first; k < plans.all.size(); ++k) plans.all[k].isSpare = true;
    }

    /// A nest by itself.
    NodePtr alone(NodePtr overall) {
        NestPlan& plan = plans.all.emplace_back(NestPlan{.members = {overall}});
        const Plans::Analysed& result = analysedInGeneral(overall);
        plan.whole = std::get_if<Nest>(&result);
        plan.general = plan.whole ? plan.whole->general : std::get<Obstacle>(result);
        if (const NodePtr distance = plan.general.place ? nullptr : unknownDistance(*plan.whole))
            plan.general = {distance,
                            "shifts an index by a distance that is not known at its entry",
                            "let it be a number that is fixed throughout the nest, or follow from "
                            "the counters of its loops"};
        if (plan.general.place) {
            const NodePtr otherwise = turn(plan);
            return otherwise ? fastForm(plan, otherwise) : askedAtHome(plan);
        }
        plan.nest = plan.whole;
        plan.fold = lookUp(plans.folds, overall);
        if (overall == ofPivots_)
            plan.notes.push_back("with several steps of the loop round it at once");
        return fastForm(plan, nullptr);
    }

    /// A nest without a fast form, of which the pass `home` has taken it to get one.
    NodePtr askedAtHome(NestPlan& plan) {
        const NodePtr overall = plan.members.front();
        if (!plans.wantsDevices || !analysed(overall)) return inGeneral(plan);
        plans.wantsDevices = false;  // of the nests inside of it
        const NodePtr nest = inGeneral(plan);
        plans.wantsDevices = true;
        return atHome(context, *plan.whole, nest);
    }

    NodePtr fastForm(NestPlan& plan, NodePtr otherwise) {
        context.taken.clear();
        if (!plan.fold) otherwise = keep(plan, halve(plan, inMemoryOrder(plan, otherwise)));
        divide(plan, *plan.nest);
        mapToDevice(plan);
        const NodePtr result = withFastForm(context, plans, plan, otherwise);
        if (remarks) remarkOnFastForm(*remarks, plan, wanted());
        return result;
    }

    /// Loops run in the order of memory in the fast form. The result: as that of keep().
    NodePtr inMemoryOrder(NestPlan& plan, NodePtr otherwise) {
        const Nest& nest = *plan.nest;
        const bool hasLost = plan.fused && !plan.fused->contracted.empty();  // elements
        if (hasLost || plan.order || !reorder(plan)) return otherwise;
        return otherwise ? otherwise : asWritten(plan, nest);
    }

    /// True if the plan's nest got its loops in another order.
    bool reorder(NestPlan& plan) {
        if (plans.wantsDevices) return false;
        const auto analyse = [&](NodePtr loop) { return analysed(loop); };
        const auto isInTiles = [&](NodePtr nest) { return isTiled(nest); };
        auto order = memoryOrder(context, *plan.nest, analyse, isInTiles);
        if (const NodePtr rows = order ? nullptr : withRowForScratch(context, *plan.nest)) {
            const Nest* const inRows = analysed(rows);
            if (inRows) order = memoryOrder(context, *inRows, analyse, isInTiles);
            if (order && !isTiled(order->overall)) order.reset();
        }
        context.taken.clear();  // what only a trial has named
        const Nest* const other = order ? analysed(order->overall) : nullptr;
        if (!other || unknownDistance(*other) ||
            (wantsThreads_ && isDivisible(*plan.nest) && !isDivisible(*other)))
            return false;
        plan.notes.push_back("with its loops in the order " + listed(order->loops));
        plan.order = std::move(order);
        plan.whole = plan.nest = other;
        return true;
    }

    /// True if sums of products of this nest are computed in tiles.
    bool isTiled(NodePtr overall) {
        const auto kept =
            analysed(overall) ? keepElements(context, *analysed(overall)) : std::nullopt;
        const Nest* const nest = kept ? analysed(kept->overall) : nullptr;
        ArrayPairs apart;
        Obstacle obstacle;
        if (!nest || !ast::is<ast::Overall>(overall)) return false;
        Reaches reaches(context, *nest);
        const auto sums =
            asSumsOfProducts(*nest, nest->loops.front(), nullptr, reaches, apart, obstacle);
        if (!sums || !sums->rows) return false;
        const EntryTest test(context, *nest, reaches);
        Elements elements(context, *nest, test, nullptr, [](NodePtr e) { return e; });
        return writeSumsOfProducts(context, *nest, *sums, elements,
                                   [](const Loop&) { return NamesOfRun(); });
    }

    /// Loops that compute every second iteration only go in steps of two in the fast form. The
    /// result: as that of keep().
    NodePtr halve(NestPlan& plan, NodePtr otherwise) {
        const Nest& nest = *plan.nest;
        auto halved = plan.fused || plans.wantsDevices ? std::nullopt : everySecond(context, nest);
        const Nest* const other = halved ? analysed(halved->overall) : nullptr;
        if (!other || unknownDistance(*other) ||
            (wantsThreads_ && isDivisible(nest) && !isDivisible(*other)))
            return otherwise;
        plan.halved = std::move(halved);
        plan.whole = plan.nest = other;
        plan.notes.push_back("in steps of two");
        return otherwise ? otherwise : asWritten(plan, nest);
    }

    /// Elements that stay the same through a loop get variables in the fast form. The result:
    /// what stands where the nest itself would, if that is another one then.
    NodePtr keep(NestPlan& plan, NodePtr otherwise) {
        const Nest& nest = *plan.nest;
        auto kept = keepElements(context, nest);
        const Nest* const other = kept ? analysed(kept->overall) : nullptr;
        if (!other || (wantsThreads_ && isDivisible(nest) && !isDivisible(*other)) ||
            (plans.wantsDevices && isMappable(nest) && !isMappable(*other)))
            return otherwise;
        plan.kept = std::move(kept);
        plan.nest = other;
        plan.notes.push_back("with " + listed(plan.kept->elements, " and ") + " in a variable");
        return otherwise ? otherwise : asWritten(plan, nest);
    }

    /// Loops that go down go up in the fast form, if their order does not matter. The result: the
    /// nest as the program writes it; null if it has no such form.
    NodePtr turn(NestPlan& plan) {
        auto turned =
            plan.whole && !plans.wantsDevices ? upwards(context, *plan.whole) : std::nullopt;
        const Nest* const other = turned ? analysed(turned->overall) : nullptr;
        if (!other || unknownDistance(*other)) return nullptr;
        const Nest& nest = *plan.whole;
        plan.general = {};
        plan.turned = std::move(turned);
        plan.whole = plan.nest = other;
        plan.notes.push_back("upwards");
        context.taken.clear();
        return asWritten(plan, nest);
    }

    /// A nest of which the fast form is another one, in threads if it can be.
    NodePtr asWritten(NestPlan& plan, const Nest& nest) {
        const NodePtr overall = nest.loops.front().statement;
        divide(plan, nest);
        return plan.threads
                   ? markedForThreads(context, nest, Reaches(context, nest), *plan.threads, overall)
                   : overall;
    }

    Wanted wanted() const { return {wantsThreads_, plans.wantsDevices, plans.wantsVectorMath}; }

    bool isDivisible(const Nest& nest) {
        return std::holds_alternative<Division>(divisionOf(nest, Reaches(context, nest)));
    }

    bool isMappable(const Nest& nest) {
        return std::holds_alternative<DeviceForm>(deviceFormOf(nest, Reaches(context, nest)));
    }

    void divide(NestPlan& plan, const Nest& nest) {
        if (!wantsThreads_) return;
        auto division = divisionOf(nest, Reaches(context, nest));
        Obstacle* const obstacle = std::get_if<Obstacle>(&division);
        plan.unthreaded = obstacle ? std::move(*obstacle) : Obstacle();
        plan.threads.reset();
        if (!obstacle) plan.threads = std::move(std::get<Division>(division));
    }

    void mapToDevice(NestPlan& plan) {
        if (!plans.wantsDevices) return;
        if (plan.fold) {
            plan.onHost = {plan.members.front(),
                           "adds up a sum of elements that it does not store"};
            return;
        }
        auto form = deviceFormOf(*plan.nest, Reaches(context, *plan.nest));
        if (Obstacle* obstacle = std::get_if<Obstacle>(&form))
            plan.onHost = std::move(*obstacle);
        else
            plan.device = std::move(std::get<DeviceForm>(form));
    }

    /// A nest without a fast form, in threads if it can be. Those inside of it may have one.
    NodePtr inGeneral(NestPlan& plan) {
        const NodePtr overall = plan.members.front();
        context.taken.clear();
        if (plan.whole)
            divide(plan, *plan.whole);
        else if (wantsThreads_)
            plan.unthreaded = {plan.general.place, "has no fast form: it " + plan.general.reason};
        if (remarks) remarkOnGeneralForm(*remarks, plan, wanted());
        const bool wantsThreads = std::exchange(wantsThreads_, wantsThreads_ && !plan.threads);
        NodePtr result = rewriteChildren(overall);
        wantsThreads_ = wantsThreads;
        if (plan.threads)
            result = markedForThreads(context, *plan.whole, Reaches(context, *plan.whole),
                                      *plan.threads, result);
        plans.at.emplace(result, &plan);
        return result;
    }

    bool wantsThreads_;  // of the nests that can use several
    int nestsRound_ = 0;
    NodePtr ofPivots_ = nullptr;  // in a loop that takes several
};

}  // namespace

ast::Unit fastNests(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<FastNests>(std::move(unit), quote);
}

}  // namespace hpcc::nests
