// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/checks.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;
using Lowered = std::function<NodePtr(NodePtr)>;

class CheckMaker {
public:
    CheckMaker(Context& context, const Demand& demand, const Lowered& lowered)
        : context_(context), demand_(demand), lowered_(lowered) {}

    NodePtr check() {
        const std::vector<NodePtr> enclosing = entries(demand_.enclosing);
        const std::string schema = "hpspmd::detail::" + question() + "($a, $name, {$slots}" +
                                   (enclosing.empty() ? ");" : ", {$enclosing});");
        return context_.statement(
            schema,
            {{"$a", array()},
             {"$name", made(ast::stringLiteral(ast::nameForUser(demand_.array)))},
             {"$slots", entries(demand_.slots)},
             {"$enclosing", enclosing}},
            demand_.access);
    }

    NodePtr flag() {
        const std::vector<NodePtr> enclosing = entries(demand_.enclosing);
        const std::string schema =
            std::string("const bool $flag") + (demand_.inMacro ? " [[maybe_unused]]" : "") +
            " = hpspmd::detail::" + (context_.options.boundsChecks ? "passes" : "isFresh") +
            "($a, {$slots}" + (enclosing.empty() ? ");" : ", {$enclosing});");
        return context_.statement(schema,
                                  {{"$flag", context_.identifier(demand_.declares, demand_.access)},
                                   {"$a", array()},
                                   {"$slots", entries(demand_.slots)},
                                   {"$enclosing", enclosing}},
                                  demand_.access);
    }

private:
    std::string question() const {
        if (!context_.options.boundsChecks) return "checkFresh";
        const bool leavesGhosts = demand_.hasShifts() && !demand_.asksGhosts;
        return leavesGhosts && context_.options.ghostChecks ? "checkBounds" : "check";
    }

    /// With the parts of its elements that are read.
    NodePtr array() {
        const std::string name = ast::print(demand_.array);
        const ElementPart& part = demand_.part;
        if (part.isWhole() || !demand_.asksGhosts) return made(name);
        const bool isNamed = !part.low.empty();
        return made(
            std::string("hpspmd::detail::") + (part.isExact ? "reads(" : "readsSome(") + name +
            (isNamed ? ", " + addressesOf(part, context_.names.name("element")) : "") + ")");
    }

    /// True if something is asked only of processes that run an iteration.
    bool asksWhoRuns() const {
        return demand_.isCertain() && (demand_.hasReaches() || demand_.asksGhosts);
    }

    NodePtr entry(const CheckedSlot& slot) {
        if (!slot.over && slot.isReached())
            return some(within(slot.reaches), slot.hasGaps && asksFreshness());
        if (!slot.over) return context_.expression("hpspmd::detail::unchecked", {}, demand_.access);
        const bool isAt = !slot.over->triplet && asksFreshness();
        std::vector<NodePtr> arguments{isAt ? made(std::string(slot.over->index))
                                            : made(slot.over->range)};
        if (asksWhoRuns() && slot.triplet && !ast::isWholeTriplet(slot.triplet))
            arguments.push_back(made(slot.triplet));
        if (slot.lo != 0 || slot.hi != 0) {
            arguments.push_back(made(std::to_string(slot.lo)));
            arguments.push_back(made(std::to_string(slot.hi)));
        }
        const bool isUnknown = slot.over->triplet && !slot.triplet;
        return some(over(std::move(arguments)), isUnknown && asksFreshness());
    }

    bool asksFreshness() const { return demand_.hasShifts() && demand_.asksGhosts; }

    NodePtr some(NodePtr over, bool isSome) {
        if (!isSome) return over;
        return context_.expression("hpspmd::detail::some($over)", {{"$over", over}},
                                   demand_.access);
    }

    template <class Entry>
    std::vector<NodePtr> entries(const std::vector<Entry>& all) {
        std::vector<NodePtr> result;
        for (const Entry& each : all) result.push_back(entry(each));
        return result;
    }

    NodePtr entry(const Construct* construct) {
        // A flag may be false without need; its check then decides.
        if (!demand_.isCertain()) return made(construct->range);
        return entry(*construct);
    }

    NodePtr entry(const Construct& construct) {
        if (ast::isWholeTriplet(construct.triplet)) return made(construct.range);
        return over({made(construct.range), made(construct.triplet)});
    }

    NodePtr within(const Reaches& reaches) {
        std::vector<NodePtr> values;
        for (const Reach& reach : reaches)
            for (const std::string& value : reach.values())
                if (std::ranges::none_of(values, [&](NodePtr v) { return v->text() == value; }))
                    values.push_back(made(value));
        return context_.expression("hpspmd::detail::within($values)", {{"$values", values}},
                                   demand_.access);
    }

    NodePtr over(std::vector<NodePtr> arguments) {
        return context_.expression("hpspmd::detail::over($arguments)",
                                   {{"$arguments", std::move(arguments)}}, demand_.access);
    }

    /// Made text, so that it does not pull the line number to where the range stands.
    NodePtr made(NodePtr expression) { return made(ast::print(lowered_(expression))); }

    NodePtr made(const std::string& text) { return context_.identifier(text, demand_.access); }

    Context& context_;
    const Demand& demand_;
    const Lowered& lowered_;
};

/// Parentheses round what would not stand by itself in a conjunction.
bool bindsLoosely(NodePtr condition) {
    return ast::is<ast::Conditional>(condition) ||
           (ast::is<ast::Binary>(condition) && condition->child(ast::Binary::op)->text() == "||");
}

}  // namespace

NodePtr makeCheck(Context& context, const Demand& demand, const Lowered& lowered) {
    CheckMaker maker(context, demand, lowered);
    if (!demand.declares.empty()) return maker.flag();
    const NodePtr check = maker.check();
    NodePtr condition = nullptr;
    const auto require = [&](NodePtr next) {
        condition = condition ? context.expression("$l && $r", {{"$l", condition}, {"$r", next}},
                                                   demand.access)
                              : next;
    };
    if (!demand.flag.empty())
        require(context.expression(
            "!$flag", {{"$flag", context.identifier(demand.flag, demand.access)}}, demand.access));
    for (const NodePtr guard : demand.guards) {
        // Made text, so that it does not pull the line number to where the loop stands.
        const NodePtr next = context.identifier(ast::print(lowered(guard)), demand.access);
        require(bindsLoosely(guard) ? context.expression("($c)", {{"$c", next}}, demand.access)
                                    : next);
    }
    if (!condition) return check;
    return context.statement("if ($c) $check;", {{"$c", condition}, {"$check", check}},
                             demand.access);
}

}  // namespace hpcc::lower
