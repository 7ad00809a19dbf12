// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/reader.hpp"
#include "ast/search.hpp"

namespace hpcc::analysis {
namespace {

std::string_view opposite(std::string_view op) {
    if (op == "==") return "!=";
    if (op == "!=" || op == "not_eq") return "==";
    if (op == "<") return ">=";
    if (op == ">=") return "<";
    if (op == ">") return "<=";
    return op == "<=" ? ">" : "";
}

// Both as signed, or as unsigned numbers.
bool areComparable(NodePtr a, NodePtr b) {
    const bool left = isUnsigned(numberOf(a)), right = isUnsigned(numberOf(b));
    return left == right || isNeverNegative(left ? b : a);
}

bool isOperator(NodePtr node, std::string_view sign, std::string_view word) {
    return operatorOf(node) == sign || operatorOf(node) == word;
}

}  // namespace

// What a name stands for, and where that is computed.
std::pair<NodePtr, Place> Reader::meant(NodePtr e, Place place) const {
    e = bare(e);
    if (!ast::is<ast::Identifier>(e)) return {e, place};
    const auto named = space_.valueOf(e, place.loop);
    if (!named.expression) return {e, place};
    return {bare(named.expression), {named.place, place.iteration}};
}

bool Reader::isNotNegative(NodePtr e, Place place) {
    if (isNeverNegative(e)) return true;
    System system;
    for (const Loop* loop = place.loop; loop; loop = loop->outer)
        system.add(bounds(*loop, place.iteration));
    system.isNotNegative(Sum(-1) - read(e, place));
    return system.isImpossible();
}

// True if it is known to be 0 or 1. Remainders of negative numbers may be -1.
bool Reader::isBit(NodePtr e, Place place) {
    const auto [value, where] = bitIn(e, place);
    if (const auto constant = constantValue(value)) return *constant == 0 || *constant == 1;
    if (value->type && value->type->kind == ast::TypeKind::Bool) return true;
    return modulusOf(value, where) == 2 &&
           (operatorOf(value) != "%" || isNotNegative(value->child(ast::Binary::left), where));
}

// e & 1 of int(e & 1): every type holds 0 and 1, and what is not 0 stays so.
std::pair<NodePtr, Place> Reader::bitIn(NodePtr e, Place place) const {
    auto [value, where] = meant(e, place);
    while (ast::isAny<ast::Cast, ast::NamedCast, ast::FunctionalCast>(value)) {
        const NodePtr operand = bare(castOperand(value));
        if (!operand || !isInteger(value, where) || modulusOf(operand, where) != 2) break;
        value = operand;
    }
    return {value, where};
}

// `one` is not `other`: where both are 0 or 1, then one is even and one is odd.
void Reader::differ(System& system, NodePtr one, NodePtr other, Place place) {
    const auto [left, where] = bitIn(one, place);
    if (modulusOf(left, where) != 2) return;
    const Sum value = other ? read(other, place) : Sum(0);
    const bool isOdd = value == Sum(0);
    if (!isOdd && !(isBit(left, where) && isBit(other, place))) return;
    const Sum sum = read(left->child(ast::Binary::left), where);
    system.isZero(sum - value - Sum(1) - Sum(2) * fresh());
}

void Reader::compare(System& system, NodePtr condition, std::string_view op, Place place) {
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    if (!isInteger(left, place) || !isInteger(right, place) || !areComparable(left, right) ||
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
                                      ? space_.valueOf(condition, place.loop)
                                      : IterationSpace::Value();
               value.expression && numberOf(condition).bits >= numberOf(value.expression).bits) {
        assume(system, value.expression, holds, {value.place, place.iteration});
    } else if (holds) {
        differ(system, condition, nullptr, place);
    } else {
        system.isZero(read(condition, place));
    }
}

}  // namespace hpcc::analysis
