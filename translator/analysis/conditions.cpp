// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "analysis/reader.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"

namespace hpcc::analysis {
namespace {

bool isOperator(NodePtr node, std::string_view sign, std::string_view word) {
    return operatorOf(node) == sign || operatorOf(node) == word;
}

}  // namespace

// ---- as numbers --------------------------------------------------------------------------------

// 1 of all that is not 0.
Sum Reader::truth(NodePtr value, Place place) {
    value = bare(value);
    if (modulusOf(value, place) == 2) return bit(read(value->child(ast::Binary::left), place));
    const Sum sum = read(value, place);
    if (sum.isConstant()) return Sum(sum.constant() != 0 ? 1 : 0);
    const bool isBool = value->type && value->type->kind == ast::TypeKind::Bool;
    if (isBool || isComparison(value)) return sum;
    return notZero(sum);
}

Sum Reader::notZero(const Sum& sum) {
    const Sum truth = atom(nullptr, 0, "bool", sum);
    System& known = known_[*truth.solvableAtom()];
    if (!known.isEmpty()) return truth;
    known.isNotNegative(truth);
    known.isNotNegative(Sum(1) - truth);
    return truth;
}

// Of two bits, a ^ b is the last bit of a + b.
Sum Reader::exclusive(const Sum& a, const Sum& b) {
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)})
        if (one.isConstant()) return one.isZero() ? other : Sum(1) - other;
    return bit(a + b);
}

// 1 if they are equal, else 0; nothing if that is not known.
std::optional<Sum> Reader::equal(NodePtr left, NodePtr right, Place place) {
    const auto [rest, where] = bitIn(left, place);
    const auto number = modulusOf(rest, where) == 2 ? constantValue(right) : std::nullopt;
    if (number == 0) return Sum(1) - bit(read(rest->child(ast::Binary::left), where));
    if (number == 1 && trustsColours_)  // of numbers below 0 the rest is 0 or -1
        return bit(read(rest->child(ast::Binary::left), where));
    if (isColour(left, right, place) && isColour(right, left, place))
        return Sum(1) - exclusive(read(left, place), read(right, place));
    return std::nullopt;
}

Sum Reader::equality(NodePtr node, Place place) {
    if (node->symbol) return fresh();  // an operator of the program
    const auto equal =
        this->equal(node->child(ast::Binary::left), node->child(ast::Binary::right), place);
    if (!equal) return opaque(node);
    return operatorOf(node) == "==" ? *equal : Sum(1) - *equal;
}

// ---- what holds --------------------------------------------------------------------------------

// What a name stands for, and where that is computed.
std::pair<NodePtr, Place> Reader::meant(NodePtr e, Place place) const {
    e = bare(e);
    if (!ast::is<ast::Identifier>(e)) return {e, place};
    const auto named = meaningOf(e, place.loop);
    if (!named.expression) return {e, place};
    return {bare(named.expression), {named.place, place.iteration}};
}

void Reader::know(NodePtr name, long least, long most) {
    const Sum value = named(name, {});
    facts_.isNotNegative(value - Sum(least));
    facts_.isNotNegative(Sum(most) - value);
}

// Both as signed, or as unsigned numbers.
bool Reader::areComparable(NodePtr a, NodePtr b, Place place) {
    const bool left = isUnsigned(numberOf(a)), right = isUnsigned(numberOf(b));
    return left == right || isNotNegative(left ? b : a, place);
}

bool Reader::isNever(const Sum& notNegative, Place place) {
    System system = facts_;
    for (const Loop* loop = place.loop; loop; loop = loop->outer)
        system.add(bounds(*loop, place.iteration));
    system.isNotNegative(notNegative);
    completeSigns(system);
    return system.isImpossible();
}

bool Reader::isNotNegative(NodePtr e, Place place) {
    return isNeverNegative(e) || isNever(Sum(-1) - read(e, place), place);
}

// True if it is known to be 0 or 1. Remainders of negative numbers may be -1.
bool Reader::isBit(NodePtr e, Place place) {
    const auto [value, where] = bitIn(e, place);
    if (const auto constant = constantValue(value)) return *constant == 0 || *constant == 1;
    if (value->type && value->type->kind == ast::TypeKind::Bool) return true;
    if (modulusOf(value, where) == 2)
        return operatorOf(value) != "%" || isNotNegative(value->child(ast::Binary::left), where);
    const Sum sum = read(e, place);
    return sum.isKnown() && isNever(Sum(-1) - sum, place) && isNever(sum - Sum(2), place);
}

// What is compared with a rest of 2.
bool Reader::isColour(NodePtr e, NodePtr rest, Place place) {
    if (isBit(e, place)) return true;
    const auto [value, where] = bitIn(e, place);
    const auto atoms = facts_.atoms();
    const Sum sum = read(e, place);
    const auto atom = sum.solvableAtom();
    const bool isName = ast::is<ast::Identifier>(value) && atom && sum == Sum::of(*atom);
    return trustsColours_ && isName && std::ranges::find(atoms, *atom) == atoms.end() &&
           modulusOf(bitIn(rest, place).first, bitIn(rest, place).second) == 2;
}

// e & 1 of int(e & 1): every type holds 0 and 1, and what is not 0 stays so.
std::pair<NodePtr, Place> Reader::bitIn(NodePtr e, Place place) const {
    auto [value, where] = meant(e, place);
    while (const NodePtr converted = ast::convertedToNumber(value)) {
        const NodePtr operand = bare(converted);
        if (!isInteger(value, where) || modulusOf(operand, where) != 2) break;
        value = operand;
    }
    return {value, where};
}

// `one` is not `other`: where both are 0 or 1, one of each. A rest of 2 that is not 0 is odd.
void Reader::differ(System& system, NodePtr one, NodePtr other, Place place) {
    const Sum value = other ? read(other, place) : Sum(0);
    if (other && isColour(one, other, place) && isColour(other, one, place))
        return system.isZero(read(one, place) + value - Sum(1));
    const auto [left, where] = bitIn(one, place);
    if (modulusOf(left, where) == 2 && value == Sum(0))
        system.isZero(read(left->child(ast::Binary::left), where) - Sum(1) - Sum(2) * fresh());
    else if (!other && isBit(one, place))
        system.isZero(read(one, place) - Sum(1));
}

void Reader::compare(System& system, NodePtr condition, std::string_view op, Place place) {
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    if (condition->symbol) return;  // an operator of the program
    if (!isInteger(left, place) || !isInteger(right, place) || !areComparable(left, right, place) ||
        mayHaveWrapped(left, place) || mayHaveWrapped(right, place))
        return;
    const Sum a = read(left, place), b = read(right, place);
    if (op == "==") system.isZero(a - b);
    if (op == "<") system.isNotNegative(b - a - Sum(1));
    if (op == "<=") system.isNotNegative(b - a);
    if (op == ">") system.isNotNegative(a - b - Sum(1));
    if (op == ">=") system.isNotNegative(a - b);
    if (op != "!=" && op != "not_eq") return;
    differ(system, left, right, place);
    differ(system, right, left, place);
}

System Reader::assumed(const Guard& guard, Place place) {
    System system;
    if (guard.value)
        system.isZero(read(guard.condition, place) - read(guard.value, place));
    else
        assume(system, guard.condition, guard.holds, place);
    return system;
}

void Reader::assume(System& system, NodePtr condition, bool holds, Place place) {
    condition = bare(condition);
    const Descent descent;
    if (!condition || descent.isTooDeep()) return;
    const bool isBoth =
        holds ? isOperator(condition, "&&", "and") : isOperator(condition, "||", "or");
    if (isBoth && condition->is<ast::Binary>()) {
        assume(system, condition->child(ast::Binary::left), holds, place);
        assume(system, condition->child(ast::Binary::right), holds, place);
    } else if (isNegation(condition)) {
        assume(system, condition->child(ast::Unary::operand), !holds, place);
    } else if (condition->is<ast::Binary>() && !opposite(operatorOf(condition)).empty()) {
        const std::string_view op = operatorOf(condition);
        compare(system, condition, holds ? op : opposite(op), place);
    } else if (!isInteger(condition, place)) {
        return;
    } else if (const auto value = ast::is<ast::Identifier>(condition)
                                      ? meaningOf(condition, place.loop)
                                      : IterationSpace::Value();
               value.expression && numberOf(condition).bits >= numberOf(value.expression).bits) {
        assume(system, value.expression, holds, {value.place, place.iteration});
    } else if (ast::is<ast::Call>(condition) && assumeCalled(system, condition, holds, place)) {
        return;
    } else if (holds) {
        differ(system, condition, nullptr, place);
    } else {
        system.isZero(read(condition, place));
    }
}

}  // namespace hpcc::analysis
