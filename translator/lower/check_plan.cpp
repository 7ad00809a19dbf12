// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/check_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ast/effects.hpp"
#include "lower/changes.hpp"
#include "lower/demand_collector.hpp"
#include "lower/locations.hpp"
#include "lower/regions.hpp"
#include "lower/settlement.hpp"
#include "lower/threads.hpp"
#include "lower/writes.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// Walks statements. Each visit returns the demands that may be met directly before the statement;
/// all others it has already settled inside.
class Planner {
public:
    Planner(ast::Unit& unit, const ast::FreshNames& names, const Options& options, CheckPlan& plan)
        : arena_(*unit.arena),
          options_(options),
          macros_(unit.whole->macros()),
          plan_(plan),
          settlement_(plan, names),
          changes_(*unit.whole) {}

    /// A function starts with no construct round it: its own demands never leave it.
    void function(NodePtr body) {
        const std::vector<const Construct*> outside = std::exchange(active_, {});
        const NodePtr nest = std::exchange(nest_, nullptr);
        settlement_.placeAtStart(body, statement(body));
        active_ = outside;
        nest_ = nest;
        fills_.reset();
    }

    void outermost(NodePtr declaration) { fromExpressions({}, {declaration}); }

private:
    Demands statement(NodePtr node) {
        while (ast::is<ast::Attributed>(node)) node = node->child(ast::Attributed::declaration);
        if (!node || !node->contains(ast::subscript)) return {};
        if (!node->is<ast::Compound>() && isSplitByDirective(node)) return {};
        switch (node->kind()) {
        case ast::Kind::Compound:
            return compound(node);
        case ast::Kind::If:
            return branches(node);
        case ast::Kind::For:
            return forLoop(node);
        case ast::Kind::Overall:
            return overall(node);
        case ast::Kind::At:
            return at(node);
        case ast::Kind::On:
            return on(node);
        case ast::Kind::While:
            return loop(node, ast::While::body);
        case ast::Kind::RangeFor:
            return loop(node, ast::RangeFor::body);
        case ast::Kind::DoWhile:
            return loop(node, ast::DoWhile::body);
        case ast::Kind::MacroStatement:
            return isMarkedForThreads(node) ? statement(node->child(ast::MacroStatement::body))
                                            : loop(node, ast::MacroStatement::body);
        case ast::Kind::Switch:
            return switchStatement(node);
        case ast::Kind::Case:
        case ast::Kind::Default:
            return underCondition(node->children().back(), {}, statement(node->children().back()));
        case ast::Kind::Label:
            settlement_.place(node->children().back(), statement(node->children().back()));
            return {};
        case ast::Kind::Try:
        case ast::Kind::FunctionTry:
            return tryStatement(node);
        default:
            return fromExpressions({node}, {});
        }
    }

    /// What expressions access, `maybe` under a condition, and have not changed themselves before.
    Demands fromExpressions(std::initializer_list<NodePtr> nodes,
                            std::initializer_list<NodePtr> maybe) {
        DemandCollector collector(plan_.constructs, active_, macros_,
                                  [this](NodePtr body) { function(body); });
        for (const NodePtr node : nodes) collector.visit(node);
        collector.setConditional();
        for (const NodePtr node : maybe) collector.visit(node);
        Demands result;
        if (collector.demands().empty() && collector.uncertain().empty()) return result;
        std::vector<ast::Effects> effects;
        for (const auto& list : {nodes, maybe})
            for (const NodePtr node : list) effects.push_back(ast::effectsOf(node));
        const auto ends = [&] {
            return std::ranges::any_of(nodes, mayEnd) || std::ranges::any_of(maybe, mayEnd);
        };
        for (const Demand& demand : collector.demands()) {
            Demand before = demand;
            if (!isWanted(before, nodes) || !changes_.survives(effects, before)) continue;
            if (before.hasReaches() && ends()) before.forgetReaches();
            plan_.covered.insert(demand.access);
            settlement_.collect(result, std::move(before));
        }
        for (const Demand& demand : collector.uncertain()) {
            Demand before = demand;
            if (!isWanted(before, maybe) || !before.isHarmless() ||
                !changes_.survives(effects, before))
                continue;
            before.forgetHarmful();
            settlement_.collect(result, settlement_.uncertain(before, demand.access, true));
        }
        return result;
    }

    /// True if there is something to check. Forgets what is not. `place`: where the access stands.
    bool isWanted(Demand& demand, std::initializer_list<NodePtr> place) {
        demand.asksGhosts = options_.ghostChecks && demand.hasShifts() && !mayFill(place);
        if (options_.boundsChecks) return true;
        demand.forgetReaches();
        return demand.asksGhosts;
    }

    /// True if the outermost construct, or outside of it the statement, may fill ghost cells
    /// itself. Then they are perhaps fresh at the access, if not where the check stands.
    bool mayFill(std::initializer_list<NodePtr> place) {
        if (!nest_) return std::ranges::any_of(place, mayFillGhosts);
        if (!fills_) fills_ = mayFillGhosts(nest_);
        return *fills_;
    }

    Demands compound(NodePtr block) {
        Demands out;
        EffectsOfEach before(block->children());
        const Regions regions(block);
        for (size_t k = 0; k < block->children().size(); ++k)
            for (Demand& demand : statement(block->child(static_cast<uint32_t>(k))))
                moveUp(block, before, regions, k, std::move(demand), out);
        return out;
    }

    /// Moves a demand from before statement k towards the start of its block: to the statement
    /// behind the last one that changes what it reads, within its region, in very long blocks no
    /// further than to the start of a stretch. Past a jump it becomes uncertain.
    void moveUp(NodePtr block, EffectsOfEach& effects, const Regions& regions, size_t k,
                Demand demand, Demands& out) {
        constexpr size_t stretch = 512;  // keeps the time in proportion to the length
        if (active_.empty()) return settlement_.place(effects.statement(k), std::move(demand));
        size_t region = regions.of(k);
        if (region != 0 && demand.isThereWith(block)) {
            region = 0;
            demand = settlement_.perhapsLeftOut(std::move(demand), effects.statement(k));
        }
        size_t place = k;
        for (; k % stretch != 0 && regions.isInside(k - 1, region) &&
               changes_.survives(effects[k - 1], demand);
             --k) {
            if (regions.of(k) == region) place = k;
            const NodePtr here = effects.statement(place);
            if (place == k && !demand.isCertain() && settlement_.isMetAt(here, demand)) return;
            if (demand.isCertain() && demand.hasReaches() && mayEnd(effects.statement(k - 1)))
                demand.forgetReaches();
            if (!effects[k - 1].mayJump || !demand.isCertain()) continue;
            if (!demand.isHarmless()) break;
            demand = settlement_.uncertain(std::move(demand), here);
            demand.forgetHarmful();
        }
        if (regions.of(k) == region) place = k;
        if (k == 0 && region == 0)
            settlement_.collect(out, std::move(demand));
        else
            settlement_.place(effects.statement(place), std::move(demand));
    }

    /// Demands that stand at the start of `body`, as they leave the condition it is under. Those
    /// that `head` (what is evaluated before the body) changes stay. `loops`: how many are left.
    Demands underCondition(NodePtr body, const std::vector<ast::Effects>& head, Demands demands,
                           int loops = 0, const CountingLoop* counting = nullptr) {
        Demands out;
        for (Demand& demand : demands) {
            if (active_.empty() || changes_.touch(head, demand) || !demand.isHarmless()) {
                settlement_.place(startOf(body), std::move(demand));
                continue;
            }
            if (demand.isCertain())
                demand = settlement_.uncertain(std::move(demand), startOf(body));
            demand.loops += loops;
            if (counting) demand.leaveLoop(*counting);
            demand.forgetHarmful();
            changes_.survives(head, demand);
            settlement_.collect(out, std::move(demand));
        }
        return out;
    }

    void collectAll(Demands& out, Demands demands) {
        for (Demand& demand : demands) settlement_.collect(out, std::move(demand));
    }

    Demands branches(NodePtr node) {
        const NodePtr initializer = node->child(ast::If::initializer);
        const NodePtr condition = node->child(ast::If::condition);
        const NodePtr thenBranch = node->child(ast::If::then);
        const NodePtr elseBranch = node->child(ast::If::otherwise);
        Demands out = fromExpressions({initializer, condition}, {});
        Demands thenDemands = statement(thenBranch);
        Demands elseDemands = statement(elseBranch);
        const std::vector<ast::Effects> head = {ast::effectsOf(initializer),
                                                ast::effectsOf(condition)};
        Demands common;
        for (Demand& left : thenDemands)
            for (Demand& right : elseDemands)
                if (left.isCertain() && left.sameAs(right) && !changes_.touch(head, left))
                    settlement_.collect(common, commonOf(left, right, head));
        const auto uncovered = [&](const Demands& demands) {
            Demands rest;
            for (const Demand& demand : demands)
                if (std::ranges::none_of(common, [&](const Demand& c) { return c.covers(demand); }))
                    rest.append(demand);
            return rest;
        };
        collectAll(out, underCondition(thenBranch, head, uncovered(thenDemands)));
        if (elseBranch) collectAll(out, underCondition(elseBranch, head, uncovered(elseDemands)));
        collectAll(out, std::move(common));
        return out;
    }

    Demand commonOf(Demand& left, Demand& right, const std::vector<ast::Effects>& head) {
        Demand common = left.common(right);
        changes_.survives(head, common);
        const auto calls = [](const ast::Effects& effects) { return !effects.calls.empty(); };
        if (std::ranges::any_of(head, calls)) common.forgetReaches();
        if (!common.sameReaches(left) || !common.sameReaches(right)) {
            common.forgetReaches();
            left.forgetReaches();
            right.forgetReaches();
        }
        return common;
    }

    Demands forLoop(NodePtr node) {
        const NodePtr body = node->child(ast::For::body);
        const ast::Effects effects = active_.empty() ? ast::Effects{} : ast::effectsOf(node);
        Demands out = loopHead(node, body, effects, {node->child(ast::For::initializer)});
        const LoopGuard guard = loopGuard(arena_, node);
        const auto counting = active_.empty() ? std::nullopt : asCountingLoop(node);
        if (counting) changes_.enterCounter(counting->name);
        Demands demands = statement(body);
        if (counting) changes_.leaveCounter();
        Demands inside;
        for (Demand& demand : demands) {
            Demand guarded = demand;
            if (guard.condition) guarded.require(guard.condition);
            if (counting) guarded.leaveLoop(*counting);
            const bool always = !counting || !demand.isCounted(*counting) || runsToEnd(node);
            if (guard.known && demand.isCertain() && !active_.empty() && always &&
                changes_.survives(effects, guarded))
                settlement_.collect(out, std::move(guarded));
            else
                inside.append(std::move(demand));
        }
        collectAll(out, underCondition(body, {effects}, std::move(inside), 1,
                                       counting ? &*counting : nullptr));
        return out;
    }

    /// The expressions of a statement outside its body: those in `first` are evaluated once, before
    /// everything else, the others perhaps again and again.
    Demands loopHead(NodePtr node, NodePtr body, const ast::Effects& effects,
                     std::initializer_list<NodePtr> first) {
        Demands out = fromExpressions(first, {});
        for (const NodePtr child : node->children()) {
            if (!child || child == body || std::ranges::find(first, child) != first.end()) continue;
            for (Demand& demand : fromExpressions({}, {child})) {
                ++demand.loops;
                if (active_.empty() || !changes_.survives(effects, demand))
                    continue;  // the library form checks it
                settlement_.collect(out, std::move(demand));
            }
        }
        return out;
    }

    /// Statements whose body runs zero or more times.
    Demands loop(NodePtr node, uint32_t bodySlot) {
        const NodePtr body = node->child(bodySlot);
        const ast::Effects effects = active_.empty() ? ast::Effects{} : changes_.ofLoop(node);
        Demands out = loopHead(node, body, effects, {});
        collectAll(out, underCondition(body, {effects}, statement(body), 1));
        return out;
    }

    Demands overall(NodePtr node) {
        const NodePtr header = node->child(ast::Overall::headers)->child(0);
        const NodePtr range = header->child(ast::OverallHeader::range);
        const NodePtr triplet = header->child(ast::OverallHeader::triplet);
        const NodePtr body = node->child(ast::Overall::body);
        Demands out = fromExpressions({range, triplet}, {});
        const Construct* construct =
            enter(node, header->child(ast::OverallHeader::index), {range, triplet});
        const Demands inside = statement(body);
        const ast::Effects effects = inside.empty() ? ast::Effects{} : ast::effectsOf(body);
        for (const Demand& demand : inside) {
            Demand outside = demand;
            if (outside.leave(*construct) && changes_.survives(effects, outside))
                settlement_.collect(out, std::move(outside));
            else
                settlement_.place(startOf(body), demand);
        }
        leave();
        return placedIfOutermost(node, std::move(out));
    }

    /// What is demanded inside `at` or `on` holds for some processes or another group only.
    Demands at(NodePtr node) {
        const NodePtr location = node->child(ast::At::location);
        const NodePtr body = node->child(ast::At::body);
        Demands out = fromExpressions({location}, {});
        enter(node, node->child(ast::At::index), {locationParts(location).range, nullptr});
        settlement_.placeAtStart(body, statement(body));
        leave();
        return placedIfOutermost(node, std::move(out));
    }

    Demands on(NodePtr node) {
        Demands out = fromExpressions({node->child(ast::On::group)}, {});
        settlement_.placeAtStart(node->child(ast::On::body), statement(node->child(ast::On::body)));
        return placedIfOutermost(node, std::move(out));
    }

    Demands switchStatement(NodePtr node) {
        const NodePtr condition = node->child(ast::Switch::condition);
        Demands out = fromExpressions({node->child(ast::Switch::initializer), condition}, {});
        const NodePtr body = node->child(ast::Switch::body);
        const ast::Effects effects = ast::effectsOf(node);
        const auto parts = body->is<ast::Compound>() ? body->children() : std::span(&body, 1);
        for (const NodePtr child : parts)
            collectAll(out, underCondition(child, {effects}, statement(child)));
        return placedIfOutermost(node, std::move(out));
    }

    Demands tryStatement(NodePtr node) {
        const NodePtr body = node->child(ast::Try::body);
        const ast::Effects effects = active_.empty() ? ast::Effects{} : ast::effectsOf(node);
        Demands out = underCondition(body, {effects}, statement(body));
        for (const NodePtr handler : node->child(ast::Try::handlers)->children()) {
            const NodePtr handling = handler->child(ast::Handler::body);
            collectAll(out, underCondition(handling, {effects}, statement(handling)));
        }
        return out;
    }

    Demands placedIfOutermost(NodePtr node, Demands demands) {
        if (!active_.empty()) return demands;
        settlement_.place(node, demands);
        return {};
    }

    const Construct* enter(NodePtr construct, NodePtr index, std::pair<NodePtr, NodePtr> over) {
        if (active_.empty()) {
            nest_ = construct;
            fills_.reset();
        }
        plan_.constructs.push_back({index->text(), over.first, over.second});
        active_.push_back(&plan_.constructs.back());
        return active_.back();
    }

    void leave() {
        active_.pop_back();
        if (active_.empty()) nest_ = nullptr;
    }

    ast::Arena& arena_;
    const Options options_;
    const ast::MacroNames& macros_;
    CheckPlan& plan_;
    Settlement settlement_;
    std::vector<const Construct*> active_;
    NodePtr nest_ = nullptr;     // the outermost of them
    std::optional<bool> fills_;  // whether it may fill ghost cells, once asked for
    Changes changes_;
};

}  // namespace

CheckPlan planChecks(ast::Unit& unit, const ast::FreshNames& names, const Options& options) {
    CheckPlan plan;
    for (const NodePtr declaration : unit.root->children())  // each with names of its own for flags
        Planner(unit, names, options, plan).outermost(declaration);
    return plan;
}

}  // namespace hpcc::lower
