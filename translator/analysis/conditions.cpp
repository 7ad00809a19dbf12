// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/reader.hpp"

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

// `left` is not `value`: where it is a remainder modulo 2, then it is the other one.
void Reader::differ(System& system, NodePtr left, const Sum& value, Place place) {
    left = bare(left);
    if (ast::is<ast::Identifier>(left))
        if (const auto named = space_.valueOf(left, place.loop); named.expression) {
            left = bare(named.expression);
            place.loop = named.place;
        }
    if (modulusOf(left, place) != 2) return;
    const Sum sum = read(left->child(ast::Binary::left), place);
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
    differ(system, left, b, place);
    differ(system, right, a, place);
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
    } else if (condition->is<ast::Unary>() && isOperator(condition, "!", "not")) {
        assume(system, condition->child(ast::Unary::operand), !holds, place);
    } else if (condition->is<ast::Binary>() && !opposite(operatorOf(condition)).empty()) {
        const std::string_view op = operatorOf(condition);
        compare(system, condition, holds ? op : opposite(op), place);
    } else if (!isInteger(condition, place)) {
        return;
    } else if (const auto value = ast::is<ast::Identifier>(condition)
                                      ? space_.valueOf(condition, place.loop)
                                      : IterationSpace::Value();
               value.expression) {
        assume(system, value.expression, holds, {value.place, place.iteration});
    } else if (holds) {
        differ(system, condition, Sum(0), place);
    } else {
        system.isZero(read(condition, place));
    }
}

}  // namespace hpcc::analysis
