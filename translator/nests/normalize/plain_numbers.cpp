// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/plain_numbers.hpp"

#include <string>

#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// A sum or product modulo 2^64.
bool isWideSum(NodePtr e) {
    const std::string_view op = analysis::operatorOf(e);
    return ast::is<ast::Binary>(e) && (op == "+" || op == "-" || op == "*") &&
           analysis::numberOf(e).bits == 64;
}

}  // namespace

NodePtr PlainNumbers::typed(NodePtr e) {
    e->type = context_.indexType();
    return e;
}

/// As an Index; null if it is not known what it is.
NodePtr PlainNumbers::signedValue(NodePtr e) {
    const NodePtr value = ast::withoutParentheses(e);
    const ast::NumberType number = analysis::numberOf(value);
    if (isWideSum(value)) {
        const NodePtr left = signedValue(value->child(ast::Binary::left)),
                      right = signedValue(value->child(ast::Binary::right));
        if (!left || !right) return nullptr;
        const NodePtr sum =
            typed(context_.expression("$l " + std::string(analysis::operatorOf(value)) + " $r",
                                      {{"$l", left}, {"$r", right}}, value));
        return typed(context_.expression("($sum)", {{"$sum", sum}}, value));
    }
    if (number.bits == 0) return nullptr;
    if (!analysis::isUnsigned(number)) return e;
    if (const auto known = ast::isPure(value) ? std::nullopt : analysis::constantValue(value))
        return typed(ast::literal(context_.arena, std::to_string(*known), value));
    return typed(context_.expression("static_cast<hpspmd::Index>($e)", {{"$e", value}}, value));
}

/// `i + (a - 1)` of `i + a - 1`; null of any other subscript.
NodePtr PlainNumbers::withOneDistance(NodePtr subscript) {
    const NodePtr outer = ast::withoutParentheses(subscript);
    const std::string_view op = analysis::operatorOf(outer);
    if (!ast::is<ast::Binary>(outer) || (op != "+" && op != "-")) return nullptr;
    const NodePtr left = ast::withoutParentheses(outer->child(ast::Binary::left)),
                  shorter = ast::asIndexSubscript(left) ? left : withOneDistance(left);
    const auto use = shorter ? ast::asIndexSubscript(shorter) : std::nullopt;
    if (!use || !use->distance) return nullptr;
    const NodePtr first = signedValue(use->distance),
                  second = signedValue(outer->child(ast::Binary::right));
    if (!first || !second) return nullptr;
    const NodePtr sum = context_.expression(
        (op == "-") == use->negative ? "$l + $r" : "$l - $r",
        {{"$l", context_.operand(first)}, {"$r", context_.operand(second)}}, outer);
    sum->type = analysis::numberOf(first).bits < 64 ? second->type : first->type;
    return ast::withChild(context_.arena, shorter, ast::Binary::right, context_.operand(sum));
}

NodePtr PlainNumbers::withSignedDistances(NodePtr subscript) {
    const NodePtr list = subscript->child(ast::Subscript::subscripts);
    if (!ast::multiarrayType(subscript->child(ast::Subscript::base))) return subscript;
    std::vector<NodePtr> changed(list->children().begin(), list->children().end());
    bool isChanged = false;
    for (NodePtr& each : changed) {
        if (const NodePtr shorter = withOneDistance(each)) each = shorter, isChanged = true;
        const auto use = ast::asIndexSubscript(each);
        const NodePtr distance = use ? use->distance : nullptr;
        if (!distance || !isWideSum(ast::withoutParentheses(distance)) ||
            !analysis::isUnsigned(analysis::numberOf(distance)))
            continue;
        const NodePtr value = signedValue(distance);
        if (!value) continue;
        each = ast::withChild(context_.arena, ast::withoutParentheses(each), ast::Binary::right,
                              value);
        isChanged = true;
    }
    if (!isChanged) return subscript;
    return ast::withChild(context_.arena, subscript, ast::Subscript::subscripts,
                          ast::rebuild(context_.arena, list, changed));
}

NodePtr PlainNumbers::withKnownBound(NodePtr loop) {
    const auto counting = analysis::countingLoop(loop);
    if (!counting || counting->step < 0 || ast::isPure(counting->bound)) return loop;
    const auto first = analysis::constantValue(counting->first),
               bound = analysis::constantValue(counting->bound);
    if (!first || !bound || *first < 0 || *bound < 0) return loop;
    const NodePtr condition = ast::withoutParentheses(loop->child(ast::For::condition));
    const bool isLeft = condition->child(ast::Binary::left) == counting->bound;
    const NodePtr known =
        ast::withChild(context_.arena, condition, isLeft ? ast::Binary::left : ast::Binary::right,
                       ast::literal(context_.arena, std::to_string(*bound), counting->bound));
    return ast::withChild(context_.arena, loop, ast::For::condition, known);
}

}  // namespace hpcc::nests
