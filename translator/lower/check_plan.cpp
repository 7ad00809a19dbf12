#include "lower/check_plan.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "lower/demand_collector.hpp"
#include "lower/locations.hpp"
#include "lower/loop_guard.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// Walks statements. Each visit returns the demands that may be met directly before the statement;
/// all others it has already placed inside.
class Planner {
public:
    Planner(ast::Arena& arena, CheckPlan& plan) : arena_(arena), plan_(plan) {}

    /// A function starts with no construct round it: its own demands never leave it.
    void function(NodePtr body) {
        std::vector<const Construct*> outside;
        std::swap(outside, active_);
        placeAtStart(body, statement(body));
        std::swap(outside, active_);
    }

    void unit(NodePtr root) {
        assignedAnywhere_ = ast::effectsOf(root).assigned;
        fromExpressions({}, {root});
    }

private:
    Demands statement(NodePtr node) {
        if (!node) return {};
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
            return apart(node, ast::On::body);
        case ast::Kind::While:
            return apart(node, ast::While::body);
        case ast::Kind::RangeFor:
            return apart(node, ast::RangeFor::body);
        case ast::Kind::DoWhile:
            return apart(node, ast::DoWhile::body);
        case ast::Kind::MacroStatement:
            return apart(node, ast::MacroStatement::body);
        case ast::Kind::Switch:
            return switchStatement(node);
        case ast::Kind::Case:
        case ast::Kind::Default:
        case ast::Kind::Label:
            place(node->children().back(), statement(node->children().back()));
            return {};
        case ast::Kind::Try:
            return tryStatement(node);
        case ast::Kind::FunctionTry:
            return tryStatement(node);
        default:
            return fromExpressions({node}, {});
        }
    }

    /// What the expressions in `nodes` certainly access, unless they or `also` change what a check
    /// would read.
    Demands fromExpressions(std::initializer_list<NodePtr> nodes,
                            std::initializer_list<NodePtr> also) {
        DemandCollector collector(plan_.constructs, active_,
                                  [this](NodePtr body) { function(body); });
        for (const NodePtr node : nodes) collector.visit(node);
        collector.setConditional();
        for (const NodePtr node : also) collector.visit(node);
        Demands result;
        if (collector.demands().empty()) return result;
        std::vector<ast::Effects> effects;
        for (const NodePtr node : nodes) effects.push_back(ast::effectsOf(node));
        for (const Demand& demand : collector.demands()) {
            if (touched(effects, demand)) continue;
            plan_.covered.insert(demand.access);
            add(result, demand);
        }
        return result;
    }

    bool touched(const std::vector<ast::Effects>& effects, const Demand& demand) const {
        return std::ranges::any_of(
            effects, [&](const ast::Effects& effect) { return touched(effect, demand); });
    }

    /// May the code with these effects change what the check reads?
    bool touched(const ast::Effects& effects, const Demand& demand) const {
        if (effects.touches(demand.names)) return true;
        return effects.callsFunctions && demand.ofField &&
               std::ranges::any_of(demand.names, [this](std::string_view name) {
                   return assignedAnywhere_.contains(name);
               });
    }

    Demands compound(NodePtr block) {
        Demands out;
        std::vector<ast::Effects> before;
        const auto statements = block->children();
        for (size_t k = 0; k < statements.size(); ++k) {
            for (Demand& demand : statement(statements[k])) {
                size_t position = k;
                while (position > 0 && !active_.empty() && !before[position - 1].mayJump &&
                       !touched(before[position - 1], demand))
                    --position;
                if (position == 0 && !active_.empty())
                    add(out, std::move(demand));
                else
                    add(plan_.before[statements[position]], std::move(demand));
            }
            before.push_back(active_.empty() ? ast::Effects{} : ast::effectsOf(statements[k]));
        }
        return out;
    }

    Demands branches(NodePtr node) {
        const NodePtr thenBranch = node->child(ast::If::then);
        const NodePtr elseBranch = node->child(ast::If::otherwise);
        Demands out = fromExpressions(
            {node->child(ast::If::initializer), node->child(ast::If::condition)}, {});
        const Demands thenDemands = statement(thenBranch);
        const Demands elseDemands = statement(elseBranch);
        const std::vector<ast::Effects> head = {ast::effectsOf(node->child(ast::If::initializer)),
                                                ast::effectsOf(node->child(ast::If::condition))};
        Demands common;
        for (const Demand& left : thenDemands)
            for (const Demand& right : elseDemands)
                if (left.sameAs(right) && !touched(head, left)) add(common, left.common(right));
        placeUncovered(thenBranch, thenDemands, common);
        placeUncovered(elseBranch, elseDemands, common);
        for (Demand& demand : common) add(out, std::move(demand));
        return out;
    }

    void placeUncovered(NodePtr branch, const Demands& demands, const Demands& met) {
        Demands rest;
        for (const Demand& demand : demands)
            if (std::ranges::none_of(met, [&](const Demand& m) { return m.covers(demand); }))
                rest.push_back(demand);
        placeAtStart(branch, rest);
    }

    Demands forLoop(NodePtr node) {
        const NodePtr body = node->child(ast::For::body);
        const ast::Effects effects = active_.empty() ? ast::Effects{} : ast::effectsOf(node);
        Demands out;  // outside constructs no demand comes out of the body
        for (Demand& demand :
             fromExpressions({node->child(ast::For::initializer)},
                             {node->child(ast::For::condition), node->child(ast::For::step)}))
            add(out, std::move(demand));
        const LoopGuard guard = loopGuard(arena_, node);
        Demands inside;
        for (Demand& demand : statement(body)) {
            if (guard.known && guard.condition) {
                demand.names.merge(ast::namesIn(guard.condition));
                demand.guards.push_back(guard.condition);
            }
            if (guard.known && !touched(effects, demand)) {
                add(out, std::move(demand));
            } else {
                if (guard.known && guard.condition) demand.guards.pop_back();
                inside.push_back(std::move(demand));
            }
        }
        placeAtStart(body, inside);
        return out;
    }

    Demands overall(NodePtr node) {
        const NodePtr header = node->child(ast::Overall::headers)->child(0);
        const NodePtr body = node->child(ast::Overall::body);
        const NodePtr triplet = header->child(ast::OverallHeader::triplet);
        Demands out = fromExpressions({header->child(ast::OverallHeader::range), triplet}, {});
        const Construct* construct = enter(header->child(ast::OverallHeader::index),
                                           header->child(ast::OverallHeader::range), triplet);
        Demands inside = statement(body);
        active_.pop_back();
        const ast::Effects effects = ast::effectsOf(body);
        Demands fixed;
        for (Demand& demand : inside) {
            if (leave(*construct, demand) && !touched(effects, demand))
                add(out, std::move(demand));
            else
                fixed.push_back(std::move(demand));
        }
        placeAtStart(body, fixed);
        if (!active_.empty()) return out;
        place(node, std::move(out));
        return {};
    }

    /// `demand` as it looks from outside the construct; false if it cannot be told there.
    static bool leave(const Construct& construct, Demand& demand) {
        const bool subscripts = std::ranges::any_of(
            demand.slots, [&](const CheckedSlot& slot) { return slot.over == &construct; });
        if (subscripts) return true;
        // The group must contain the APG for those processes only that run an iteration.
        if (!ast::isPure(construct.triplet)) return false;
        demand.enclosing.insert(demand.enclosing.begin(), &construct);
        demand.names.merge(ast::namesIn(construct.range));
        demand.names.merge(ast::namesIn(construct.triplet));
        return true;
    }

    Demands at(NodePtr node) {
        const NodePtr location = node->child(ast::At::location);
        const NodePtr body = node->child(ast::At::body);
        Demands out = fromExpressions({location}, {});
        enter(node->child(ast::At::index), locationParts(location).range, nullptr);
        placeAtStart(body, statement(body));
        active_.pop_back();
        return placedIfOutermost(node, std::move(out));
    }

    /// Statements whose body runs under another condition or another group; the rest of the
    /// statement is evaluated at least once, but may be again after the body.
    Demands apart(NodePtr node, uint32_t bodySlot) {
        const NodePtr body = node->child(bodySlot);
        placeAtStart(body, statement(body));
        Demands out;
        for (const NodePtr child : node->children())
            if (child && child != body) fromExpressions({}, {child});
        return out;
    }

    Demands switchStatement(NodePtr node) {
        fromExpressions(
            {}, {node->child(ast::Switch::initializer), node->child(ast::Switch::condition)});
        const NodePtr body = node->child(ast::Switch::body);
        if (body->is<ast::Compound>())
            for (const NodePtr child : body->children()) place(child, statement(child));
        else
            place(body, statement(body));
        return {};
    }

    Demands tryStatement(NodePtr node) {
        const NodePtr body = node->child(ast::Try::body);
        placeAtStart(body, statement(body));
        for (const NodePtr handler : node->child(ast::Try::handlers)->children()) {
            const NodePtr handling = handler->child(ast::Handler::body);
            placeAtStart(handling, statement(handling));
        }
        return {};
    }

    Demands placedIfOutermost(NodePtr node, Demands demands) {
        if (!active_.empty()) return demands;
        place(node, std::move(demands));
        return {};
    }

    const Construct* enter(NodePtr index, NodePtr range, NodePtr triplet) {
        plan_.constructs.push_back({index->text(), range, triplet});
        active_.push_back(&plan_.constructs.back());
        return active_.back();
    }

    void place(NodePtr statement, Demands demands) {
        for (Demand& demand : demands) add(plan_.before[statement], std::move(demand));
    }

    void placeAtStart(NodePtr body, Demands demands) {
        if (demands.empty()) return;
        const bool block = body->is<ast::Compound>() && !body->children().empty();
        place(block ? body->child(0) : body, std::move(demands));
    }

    ast::Arena& arena_;
    CheckPlan& plan_;
    std::vector<const Construct*> active_;
    std::unordered_set<std::string_view>
        assignedAnywhere_;  // names that some code of the unit assigns
};

}  // namespace

CheckPlan planChecks(ast::Arena& arena, NodePtr root) {
    CheckPlan plan;
    Planner(arena, plan).unit(root);
    return plan;
}

}  // namespace hpcc::lower
