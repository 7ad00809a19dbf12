// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/interval.hpp"
#include "analysis/lengths.hpp"
#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "nests/extremes.hpp"
#include "nests/lane_values.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool isDivisorOfAll(NodePtr e) {
    const auto value = analysis::constantValue(e);
    return value && *value > 0;
}

/// "max" or "min" of the two if it is that, with one type `double` at least or both the same; "" if
/// not.
static std::string keptOf(NodePtr condition, NodePtr then, NodePtr otherwise) {
    then = ast::withoutParentheses(then);
    otherwise = ast::withoutParentheses(otherwise);
    const std::string word = laneWord(then->type), other = laneWord(otherwise->type);
    const bool areFit =
        !word.empty() && !other.empty() && (word == "double" || other == "double" || word == other);
    return areFit ? keptBy(condition, ast::print(otherwise), then) : "";
}

/// Both sides are computed.
NodePtr LaneValues::choice(NodePtr e) {
    const NodePtr condition = e->child(ast::Conditional::condition),
                  then = e->child(ast::Conditional::then),
                  otherwise = e->child(ast::Conditional::otherwise);
    if (then && !varies(condition)) {
        const NodePtr a = value(then), b = value(otherwise);
        return a && b ? context_.expression(
                            "hpspmd::detail::either($c, [&] { return $a; }, [&] { return $b; })",
                            {{"$c", common(condition)}, {"$a", a}, {"$b", b}}, e)
                      : nullptr;
    }
    const bool areFree = then && isFree(then, condition) && isFree(otherwise, condition);
    if (!then ||
        (!areFree && (!isFree(then, condition, true) || !isFree(otherwise, condition, true))))
        return nullptr;
    const NodePtr is = truth(condition), a = value(then), b = value(otherwise);
    if (!is || !a || !b) return nullptr;
    const std::string kept = keptOf(condition, then, otherwise);
    if (!kept.empty())
        return context_.expression("hpspmd::detail::" + kept + "OfEach($b, $a)",
                                   {{"$a", a}, {"$b", b}}, e);
    return context_.expression(
        areFree ? "hpspmd::detail::chosen($is, $a, $b)"
                : "hpspmd::detail::chosenWhere($m, $is, [&] { return $a; }, [&] { return $b; })",
        {{"$m", name(mask, e)}, {"$is", is}, {"$a", a}, {"$b", b}}, e);
}

/// What a statement gives the target, which is noted first; null if it does anything else. Where
/// there is none, the target keeps what it has.
NodePtr LaneValues::conditional(NodePtr statement, NodePtr& target) {
    if (!statement) return target ? ast::copy(context_.arena, target) : nullptr;
    if (const NodePtr assign = soleAssignment(statement)) {
        const NodePtr given = assign->child(ast::Assign::value),
                      place = ast::withoutParentheses(assign->child(ast::Assign::target));
        if (!target) target = place;
        const bool isPlain = assign->child(ast::Assign::op)->text() == "=" &&
                             ast::print(target) == ast::print(place) &&
                             !laneWord(given->type).empty();
        return isPlain && !ast::anywhere(given, ast::changedOperand) ? given : nullptr;
    }
    statement = soleStatement(statement);
    if (!ast::is<ast::If>(statement) || statement->child(ast::If::initializer)) return nullptr;
    const NodePtr condition = statement->child(ast::If::condition),
                  a = conditional(statement->child(ast::If::then), target),
                  b = a ? conditional(statement->child(ast::If::otherwise), target) : nullptr;
    if (!b || !ast::isExpression(condition) || ast::anywhere(condition, ast::changedOperand) ||
        (laneWord(a->type) != laneWord(b->type) && !isDouble(target->type)))
        return nullptr;
    const NodePtr made = context_.expression("($c) ? ($a) : ($b)",
                                             {{"$c", condition}, {"$a", a}, {"$b", b}}, statement);
    made->type = isDouble(target->type) ? target->type : a->type;
    return made;
}

/// True of an `if` without a last `else`.
static bool leavesSomeAlone(NodePtr statement) {
    while (ast::is<ast::If>(statement))
        statement = soleStatement(statement->child(ast::If::otherwise));
    return !statement;
}

/// True of what takes no longer to compute than to ask whether it is needed.
static bool isQuick(NodePtr e) {
    return !ast::anywhere(e, [](NodePtr each) {
        const bool isDivision =
            ast::is<ast::Binary>(each) && each->child(ast::Binary::op)->text() == "/";
        return isDivision || (ast::is<ast::Call>(each) && extremeOf(each).empty());
    });
}

NodePtr LaneValues::choiceBy(NodePtr ifStatement) {
    NodePtr target = nullptr;
    const NodePtr chosen = conditional(ifStatement, target);
    const bool isFit = chosen && (!leavesSomeAlone(ifStatement) ||
                                  (!accessAt(nest_, target) && isQuick(chosen) &&
                                   isFree(chosen, ifStatement->child(ast::If::condition))));
    const NodePtr result = isFit ? value(chosen) : nullptr;
    if (!result) return nullptr;
    if (const Access* const access = accessAt(nest_, target)) return element(*access, result);
    const NodePtr place = ownElement(target);
    return place ? set(place, result, mask != all_) : nullptr;
}

/// The loop up to a bound or down to one that counts with it; null if there is none.
static const Loop* counterLoop(const Nest& nest, NodePtr name) {
    const Loop* own = nullptr;
    for (const Loop& loop : nest.loops)
        if (ast::is<ast::Identifier>(name) && loop.variable == name->text() &&
            isInside(bodyOf(loop), name))
            own = &loop;
    const bool isCounting = own && own->kind == Loop::Kind::Counting && !own->endsByMeeting;
    const auto counting = isCounting ? analysis::countingLoop(own->statement)
                                     : std::optional<analysis::CountingLoop>();
    return counting && counting->name->symbol == name->symbol ? own : nullptr;
}

/// The numbers that a sum of counters and constants takes; everything where that is not known.
static analysis::Interval valuesOf(const Nest& nest, NodePtr e) {
    e = ast::withoutParentheses(e);
    if (const auto constant = analysis::constantValue(e)) return analysis::only(*constant);
    if (ast::is<ast::Binary>(e)) {
        const std::string_view op = e->child(ast::Binary::op)->text();
        if ((op != "+" && op != "-") || !ast::mayRearrange(e->type)) return analysis::everything;
        const auto a = valuesOf(nest, e->child(ast::Binary::left)),
                   b = valuesOf(nest, e->child(ast::Binary::right));
        return analysis::sum(a, op == "+" ? b : analysis::negated(b));
    }
    const Loop* const own = counterLoop(nest, e);
    if (!own) return analysis::everything;
    const bool isUp = own->step > 0;
    const auto first = valuesOf(nest, own->first), end = valuesOf(nest, own->end),
               last = analysis::sum(end, analysis::only(own->reachesEnd ? 0
                                                        : isUp          ? -1
                                                                        : 1));
    return isUp ? analysis::Interval{first.least, last.most}
                : analysis::Interval{last.least, first.most};
}

/// True of an element of an array of the iteration that lies in it wherever the counters are.
static bool isInOwn(const Nest& nest, NodePtr element) {
    for (; ast::is<ast::Subscript>(element); element = element->child(ast::Subscript::base)) {
        const auto length = analysis::lengthOf(element->child(ast::Subscript::base));
        const auto at = valuesOf(nest, element->child(ast::Subscript::subscripts)->child(0));
        if (!length || !analysis::isIn(at, {0, static_cast<long>(*length) - 1})) return false;
    }
    return true;
}

/// True if it compares no integer that all lanes have in common, so that it says nothing of
/// subscripts that these have in common.
static bool asksOfLanesAlone(NodePtr condition, const Varying& varying) {
    if (ast::isAny<ast::Subscript, ast::Call>(condition))
        return varying.varies(condition) && extremeOf(condition).empty();
    if (ast::is<ast::Identifier>(condition))
        return varying.varies(condition) || isDouble(condition->type);
    return std::ranges::all_of(condition->children(), [&](NodePtr each) {
        return !each || asksOfLanesAlone(each, varying);
    });
}

/// True if it can be computed where the program does not come to it, but to `surely`; with
/// `someDo`, where some lanes do.
bool LaneValues::isFree(NodePtr e, NodePtr surely, bool someDo) const {
    const auto known = ast::allOf<ast::Subscript>(surely);
    const bool isTold = isQuick(e), saysNothing = isTold && asksOfLanesAlone(surely, varying_);
    return !ast::anywhere(e, [&](NodePtr each) {
        if (ast::is<ast::Call>(each))
            return extremeOf(each).empty() && !analysis::computesByName(each);
        if (ast::is<ast::Binary>(each)) {
            const std::string_view op = each->child(ast::Binary::op)->text();
            return (op == "/" || op == "%") &&
                   !analysis::isFraction(each->child(ast::Binary::left)) &&
                   !analysis::isFraction(each->child(ast::Binary::right)) &&
                   !isDivisorOfAll(each->child(ast::Binary::right));
        }
        if (!ast::is<ast::Subscript>(each)) return ast::changedOperand(each) != nullptr;
        const Access* const access = accessAt(nest_, each);
        const bool isInStep = access ? rows_.contains(access->array)
                                     : !varies(each->child(ast::Subscript::subscripts));
        // The entry test, or what is known of vectors, tells that such elements are there.
        const bool isAsked =
            access || loop_.scratch.contains(each->child(ast::Subscript::base)->symbol);
        const bool isThere = (access && isSurelyThere(*access)) ||
                             (isInStep && (isAsked ? saysNothing : isTold && isInOwn(nest_, each)));
        return !(someDo && isInStep) && !isThere && std::ranges::none_of(known, [&](NodePtr other) {
            return ast::print(other) == ast::print(each);
        });
    });
}

/// An element at the indices themselves.
bool LaneValues::isSurelyThere(const Access& access) const {
    return std::ranges::all_of(access.slots, [](const Slot& slot) {
        return slot.index && slot.loop && slot.shift == 0 && !slot.distance;
    });
}

}  // namespace hpcc::nests
