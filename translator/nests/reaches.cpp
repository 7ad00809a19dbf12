// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/reaches.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "analysis/dependence.hpp"
#include "analysis/loop.hpp"
#include "analysis/numbers.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"
#include "nests/normalize/fixed_handles.hpp"
#include "nests/slots.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// True if `to` has each value of `from`. False where the sign changes.
bool holds(ast::NumberType to, ast::NumberType from) {
    return from.bits > 0 && from.bits <= to.bits && from.isSigned == to.isSigned;
}

/// std::max(a, b) or std::min(a, b) of integers with a sign.
bool isExtreme(NodePtr e) {
    if (!ast::is<ast::Call>(e) || !ast::isMathematicalCall(e)) return false;
    const std::string name = ast::print(e->child(ast::Call::callee));
    const auto arguments = e->child(ast::Call::arguments)->children();
    return (name == "std::max" || name == "std::min") && arguments.size() == 2 &&
           std::ranges::all_of(arguments, isOfSigned);
}

}  // namespace

/// Index(k) of a name of an integer type, or of what `isOfSigned`.
static bool keepsValue(NodePtr conversion, NodePtr operand) {
    const bool isIndex = analysis::numberOf(conversion) == ast::NumberType{64, true};
    operand = ast::withoutParentheses(operand);
    return isIndex && (ast::is<ast::Identifier>(operand) ? analysis::numberOf(operand).bits > 0
                                                         : isOfSigned(operand));
}

bool isOfSigned(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (isExtreme(e)) return true;
    if (const NodePtr operand = ast::convertedToNumber(e))
        return keepsValue(e, operand) ||
               (analysis::numberOf(e).isSigned && analysis::numberOf(e).bits >= 32 &&
                (ast::asConstant(operand) || analysis::isFraction(operand, false)));
    if (ast::is<ast::NumberLiteral>(e)) return ast::asConstant(e).has_value();
    if (ast::is<ast::Unary>(e)) return isOfSigned(e->child(ast::Unary::operand));
    if (ast::is<ast::Binary>(e))
        return isOfSigned(e->child(ast::Binary::left)) && isOfSigned(e->child(ast::Binary::right));
    if (ast::is<ast::Conditional>(e))
        return isOfSigned(e->child(ast::Conditional::then)) &&
               isOfSigned(e->child(ast::Conditional::otherwise));
    return ast::is<ast::GlobalIndex>(e) || analysis::numberOf(e).isSigned;
}

/// Has no effect and one value as long as no name in it is changed, a container's length too.
static bool isPureHere(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::is<ast::Call>(e) && ast::asksContainer(e)) {
        const NodePtr callee = e->child(ast::Call::callee);
        return ast::is<ast::Member>(callee) && isPlainBase(callee->child(ast::Member::base));
    }
    if (const NodePtr operand = ast::convertedToNumber(e)) return isPureHere(operand);
    return ast::isPure(e) || (ast::is<ast::Binary>(e) && isPureHere(e->child(ast::Binary::left)) &&
                              isPureHere(e->child(ast::Binary::right)));
}

bool Reaches::isFixed(NodePtr expression) const {
    if (!expression) return true;
    if (inner_) return isFixedIn(expression, *inner_);
    if (!isPureHere(expression) || !ast::isSafe(expression)) return false;
    return std::ranges::none_of(ast::namesIn(expression), [&](std::string_view name) {
        return nest_.declared.contains(name) || nest_.assigned.contains(name) ||
               nest_.changeable.contains(name) || nest_.loopNamed(name);
    });
}

bool Reaches::isFixedIn(NodePtr expression, const Loop& loop) const {
    if (!isPureHere(expression) || !ast::isSafe(expression)) return false;
    return !mayChangeIn(loop, expression) &&
           std::ranges::none_of(ast::namesIn(expression), [&](std::string_view name) {
               return nest_.changeable.contains(name);
           });
}

bool Reaches::areKnown(const Slot& slot, const Loop* loop) {
    // A name has no operators, which might wrap round.
    const bool isName = ast::is<ast::Identifier>(ast::withoutParentheses(slot.distance));
    return isFixed(slot.distance) ||
           ((isName || isOfSigned(slot.distance)) && ofDistance(slot.distance, loop));
}

NodePtr Reaches::origin() const { return nest_.loops.front().statement; }

NodePtr Reaches::made(NodePtr expression) {
    return inner_ ? expression : context_.made(expression, origin());
}

NodePtr Reaches::of(NodePtr e, const Loop* loop) {
    if (ast::is<ast::Parenthesized>(e)) {
        const NodePtr inner = of(e->child(ast::Parenthesized::expression), loop);
        return inner ? context_.expression("($e)", {{"$e", inner}}, origin()) : nullptr;
    }
    if (ast::is<ast::NumberLiteral>(e)) return ast::asConstant(e) ? made(e) : nullptr;
    if (ast::is<ast::Identifier>(e)) return ofIdentifier(e, loop);
    if (const Access* element = takesElements_ ? accessAt(nest_, e) : nullptr)
        return ofElement(*element);
    if (isFixedElement(e) || isFixedValue(e)) return made(e);
    if (ast::is<ast::GlobalIndex>(e)) {
        const NodePtr index = ast::withoutParentheses(e->child(ast::GlobalIndex::operand));
        const Loop* over = enclosing(loop, index->text());
        if (inner_ && over != inner_) return made(e);
        if (const auto run = runs_.find(over); ofRuns_ && run != runs_.end())
            return context_.expression(
                "hpspmd::detail::globals($run, $reach)",
                {{"$run", context_.identifier(run->second, origin())}, {"$reach", of(*over)}},
                origin());
        return over ? of(*over) : ast::copy(context_.arena, e);
    }
    if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "-") {
        const NodePtr operand = of(e->child(ast::Unary::operand), loop);
        return operand ? context_.expression("-$e", {{"$e", operand}}, origin()) : nullptr;
    }
    if (const NodePtr reach = ast::is<ast::Binary>(e) ? ofBinary(e, loop) : nullptr) return reach;
    if (const NodePtr reach = ofExtreme(e, loop)) return reach;
    if (takesChosen_ && ast::is<ast::Conditional>(e) && isOfSigned(e) && !isFixed(e)) {
        const NodePtr then = of(e->child(ast::Conditional::then), loop),
                      otherwise = then ? of(e->child(ast::Conditional::otherwise), loop) : nullptr;
        return otherwise ? joined(then, otherwise) : nullptr;
    }
    if (ast::isAny<ast::Binary, ast::Unary, ast::Conditional>(e) && analysis::isInteger(e) &&
        isFixed(e))
        return context_.expression("hpspmd::detail::reach($e)", {{"$e", made(e)}}, origin());
    const NodePtr operand = ast::convertedToNumber(e);
    if ((operand || ast::isAny<ast::Call, ast::Member, ast::QualifiedName>(e)) && isFixed(e))
        return converted(made(e), e);
    if (!operand) return nullptr;
    return keepsValue(e, operand) ? of(operand, loop) : as(analysis::numberOf(e), operand, loop);
}

/// Of a value that is converted to an integer type.
NodePtr Reaches::as(ast::NumberType type, NodePtr value, const Loop* loop) {
    const ast::NumberType from = ast::is<ast::GlobalIndex>(ast::withoutParentheses(value))
                                     ? ast::NumberType{64, true}
                                     : analysis::numberOf(value);
    const NodePtr reach = type.bits > 0 && from.bits > 0 ? of(value, loop) : nullptr;
    if (!reach || holds(type, from)) return reach;
    return context_.expression(std::string("hpspmd::detail::reachAs<std::") +
                                   (type.isSigned ? "int" : "uint") + std::to_string(type.bits) +
                                   "_t>($reach)",
                               {{"$reach", reach}}, origin());
}

/// Of std::max(a, b) and std::min(a, b) of numbers with a sign.
NodePtr Reaches::ofExtreme(NodePtr e, const Loop* loop) {
    if (!isExtreme(e)) return nullptr;
    const auto arguments = e->child(ast::Call::arguments)->children();
    const NodePtr a = of(arguments[0], loop), b = of(arguments[1], loop);
    if (!a || !b) return nullptr;
    const bool isMost = ast::print(e->child(ast::Call::callee)) == "std::max";
    return context_.expression(
        isMost ? "hpspmd::detail::maxReach($a, $b)" : "hpspmd::detail::minReach($a, $b)",
        {{"$a", a}, {"$b", b}}, origin());
}

NodePtr Reaches::ofIdentifier(NodePtr name, const Loop* loop) {
    const Loop* counting = enclosing(loop, name->text());
    if (counting && inner_ && counting != inner_) return made(name);
    if (counting) return of(*counting);
    if (inner_ && isFixed(name)) return converted(made(name), name);
    if (nest_.declared.contains(name->text())) {
        const NodePtr constant = ofConstant(name, loop);
        return constant || !takesChosen_ ? constant : ofAssigned(name);
    }
    return isFixed(name) ? converted(made(name), name) : nullptr;
}

/// Of a constant of the iteration, which holds each value that it is made of.
NodePtr Reaches::ofConstant(NodePtr name, const Loop* loop) {
    if (!loop || loop->kind == Loop::Kind::Other || !name->symbol) return nullptr;
    const analysis::IterationSpace& space = nest_.dependences().space();
    const NodePtr value = space.valueOf(name, space.loopAt(headerOf(*loop))).expression;
    return value ? as(analysis::numberOf(name->symbol->type), value, loop) : nullptr;
}

bool Reaches::isSurelyMade(const Access& access) const {
    const analysis::Access& found = nest_.dependences().space().access(access.node);
    return found.guards.all.empty() && std::ranges::none_of(found.path, [](NodePtr e) {
               return ast::is<ast::Binary>(e) && ast::isShortCircuit(e);
           });
}

Reaches::Subscripts Reaches::ofSubscript(const Access& access, size_t slot, Elements elements) {
    takesElements_ = elements.inSubscripts && isSurelyMade(access);
    takesBounds_ = elements.inBounds;
    taken_.clear();
    const NodePtr whole = of(access.slots[slot].subscript, access.loop);
    const NodePtr reach = whole ? guarded(whole, access, slot) : nullptr;
    takesElements_ = takesBounds_ = false;
    for (const std::string& key : taken_)
        if (reach) gather(gathered_.at(key));
    return {reach, !taken_.empty()};
}

NodePtr Reaches::ofBinary(NodePtr e, const Loop* loop) {
    const std::string_view op = e->child(ast::Binary::op)->text();
    if (op == "&") {
        if (isFixed(e)) return nullptr;  // better as one value
        const long mask = ast::asConstant(e->child(ast::Binary::right)).value_or(-1);
        return mask < 0 ? nullptr
                        : context_.expression("hpspmd::detail::Reach(0, $m)",
                                              {{"$m", context_.number(mask, origin())}}, origin());
    }
    if (op != "+" && op != "-" && op != "*" && op != "/" && op != "%") return nullptr;
    const NodePtr left = of(e->child(ast::Binary::left), loop);
    if (!left) return nullptr;
    if (op == "/" || op == "%") {
        // Of a number that is not negative for sure, the result is what C++ says.
        if (ast::asConstant(e->child(ast::Binary::right)).value_or(0) <= 0) return nullptr;
    }
    const NodePtr right = of(e->child(ast::Binary::right), loop);
    if (!right) return nullptr;
    return context_.expression("$l " + std::string(op) + " $r", {{"$l", left}, {"$r", right}},
                               origin());
}

/// What may turn out to be a fraction reaches everything.
NodePtr Reaches::converted(NodePtr value, NodePtr original) {
    if (analysis::isInteger(original)) return value;
    return context_.expression("hpspmd::detail::reach($e)", {{"$e", value}}, origin());
}

NodePtr Reaches::of(const Loop& loop) {
    if (loop.kind == Loop::Kind::Other || !declare(loop)) return nullptr;
    if (hasElementsInBounds(loop)) return takesBounds_ ? inPlaceOf(loop) : nullptr;
    return context_.identifier(names_[&loop], origin());
}

NodePtr Reaches::inPlaceOf(const Loop& loop) {
    const InPlace& bounds = inPlace_.at(&loop);
    taken_.insert(taken_.end(), bounds.taken.begin(), bounds.taken.end());
    return context_.expression("hpspmd::detail::Reach($first, $last)",
                               {{"$first", ast::copy(context_.arena, bounds.first)},
                                {"$last", ast::copy(context_.arena, bounds.last)}},
                               origin());
}

bool Reaches::declare(const Loop& loop) {
    const auto known = names_.find(&loop);
    if (known != names_.end()) return !known->second.empty();
    const std::string name = context_.fresh(std::string(loop.variable) + "_reach");
    names_[&loop] = "";
    const bool takesChosen = std::exchange(takesChosen_, false);
    const bool isCounting = loop.kind != Loop::Kind::Overall;
    const bool isDeclared = !isCounting || declareCounting(loop, name);
    if (!isCounting) declareOverall(loop, name);
    takesChosen_ = takesChosen;
    if (isDeclared) names_[&loop] = name;
    return isDeclared;
}

bool Reaches::declareCounting(const Loop& loop, const std::string& name) {
    if (loop.endsPerRow && &loop != inner_) return false;
    const bool isDown = loop.step < 0;
    const auto outside = std::tuple(takesElements_, takesBounds_, std::exchange(taken_, {}));
    takesElements_ = takesBounds_ = !inner_;
    const NodePtr first = isDown ? leastOf(loop) : boundOf(loop, loop.first);
    const NodePtr last = !first ? nullptr : isDown ? startOf(loop) : lastOf(loop);
    const std::vector<std::string> taken = std::move(taken_);
    std::tie(takesElements_, takesBounds_, taken_) = outside;
    if (!last) return false;
    if (!taken.empty()) {
        inPlace_[&loop] = {first, last, taken};
        return true;
    }
    declarations_.push_back(context_.statement(
        "const hpspmd::detail::Reach $k($first, $last);",
        {{"$k", context_.identifier(name, origin())}, {"$first", first}, {"$last", last}},
        origin()));
    return true;
}

/// The global indices of an overall: those of its triplet if they can be told.
void Reaches::declareOverall(const Loop& loop, const std::string& name) {
    const NodePtr low = tripletOf(loop)->child(ast::Triplet::low),
                  high = tripletOf(loop)->child(ast::Triplet::high);
    NodePtr first = low ? of(low, loop.outer) : nullptr;
    NodePtr last = high ? of(high, loop.outer) : nullptr;
    if (!first) first = context_.number(0, origin());
    if (!last)
        last = context_.expression("hpspmd::detail::extentOf($x) - 1", {{"$x", made(loop.range)}},
                                   origin());
    declarations_.push_back(context_.statement(
        "const hpspmd::detail::Reach $k($first, $last);",
        {{"$k", context_.identifier(name, origin())}, {"$first", first}, {"$last", last}},
        origin()));
}

/// What a loop begins with, or is compared with.
NodePtr Reaches::boundOf(const Loop& loop, NodePtr expression) {
    const NodePtr values = of(expression, loop.outer);
    const bool isSigned = analysis::countingLoop(loop.statement)->number().isSigned &&
                          analysis::numberOf(loop.end).isSigned;
    if (!values || isSigned || ast::asConstant(expression)) return values;
    return context_.expression("hpspmd::detail::withoutSign($e)", {{"$e", values}}, origin());
}

/// `k < n - 1` ends with n - 2.
NodePtr Reaches::lastOf(const Loop& loop) {
    if (loop.reachesEnd) return boundOf(loop, loop.end);
    if (const auto end = ast::asConstant(loop.end)) return context_.number(*end - 1, origin());
    const NodePtr end = boundOf(loop, loop.end);
    if (!end) return nullptr;
    if (ast::is<ast::Binary>(end) && ast::is<ast::Binary>(loop.end) &&
        loop.end->child(ast::Binary::op)->text() == "-")
        if (const auto part = ast::asConstant(loop.end->child(ast::Binary::right));
            part && *part >= 0)
            return context_.expression("$l - $n",
                                       {{"$l", end->child(ast::Binary::left)},
                                        {"$n", context_.number(*part + 1, origin())}},
                                       origin());
    return context_.expression("$e - 1", {{"$e", end}}, origin());
}

/// Where a loop downwards ends: `k > 0` with 1.
NodePtr Reaches::leastOf(const Loop& loop) {
    if (loop.reachesEnd) return boundOf(loop, loop.end);
    if (const auto end = ast::asConstant(loop.end)) return context_.number(*end + 1, origin());
    const NodePtr end = boundOf(loop, loop.end);
    return end ? context_.expression("$e + 1", {{"$e", end}}, origin()) : nullptr;
}

/// Where it begins, as its counter holds it.
NodePtr Reaches::startOf(const Loop& loop) {
    const ast::NumberType counter = analysis::countingLoop(loop.statement)->number();
    const bool isKept =
        ast::asConstant(loop.first) || holds(counter, analysis::numberOf(loop.first));
    if (isKept) return boundOf(loop, loop.first);
    if (!isFixed(loop.first) || counterType(loop)->text() == "auto") return nullptr;
    return context_.expression(
        "hpspmd::detail::reach(static_cast<" + ast::print(counterType(loop)) + ">($first))",
        {{"$first", made(loop.first)}}, origin());
}

}  // namespace hpcc::nests
