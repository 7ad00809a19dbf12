// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/wide_values.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "analysis/operators.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"
#include "nests/called_values.hpp"
#include "nests/extremes.hpp"
#include "nests/lane_values.hpp"
#include "nests/policies.hpp"

namespace hpcc::nests {

using ast::NodePtr;

bool isDouble(const ast::Type* type) {
    return type && type->kind == ast::TypeKind::Floating && type->spelled.ends_with("double") &&
           type->spelled.find("long") == std::string::npos;
}

bool isOfNumber(const ast::Type* type, std::string_view number) {
    if (number == "double") return isDouble(type);
    return type && (type->spelled == number || type->spelled == "const " + std::string(number));
}

std::string_view elementOf(const Access& access) {
    const ast::Type* array = ast::multiarrayType(access.node->child(ast::Subscript::base));
    return array->element ? std::string_view(array->element->spelled) : "";
}

bool isOfDoubles(const Access& access) { return elementOf(access) == "double"; }

bool runsAlongRow(const Access& access, const Loop& loop, const WideValues& values) {
    if (access.slots.empty() || access.slots.back().loop != &loop ||
        elementOf(access) != values.number())
        return false;
    const NodePtr distance = access.slots.back().distance;
    if (distance && values.isReached(distance)) return false;
    return std::ranges::count_if(access.slots, [&](const Slot& slot) {
               return values.isReached(slot.subscript);
           }) == 1;
}

void WideValues::storeIn(const Access& target, bool mayBeWhole) {
    stored_ = ast::print(target.node);
    isWhole_ = mayBeWhole && elementOf(target) == "int";
}

bool WideValues::isReached(NodePtr e) const {
    if (ast::is<ast::Identifier>(e)) return e->text() == variable_ || declared_.contains(e->text());
    return std::ranges::any_of(e->children(), [&](NodePtr c) { return c && isReached(c); });
}

NodePtr WideValues::of(NodePtr e) {
    if (const auto known = replaced_.empty() ? replaced_.end() : replaced_.find(ast::print(e));
        known != replaced_.end())
        return context_.identifier(known->second, e);
    if (!isReached(e)) return ast::anywhere(e, ast::changedOperand) ? nullptr : scalar(e);
    switch (e->kind()) {
    case ast::Kind::Parenthesized: {
        const NodePtr inner = of(e->child(ast::Parenthesized::expression));
        return inner ? context_.expression("($e)", {{"$e", inner}}, e) : nullptr;
    }
    case ast::Kind::Unary: {
        if (e->child(ast::Unary::op)->text() != "-") return nullptr;
        const NodePtr inner = of(e->child(ast::Unary::operand));
        return inner ? context_.expression("-$e", {{"$e", inner}}, e) : nullptr;
    }
    case ast::Kind::Binary:
        return binary(e);
    case ast::Kind::Identifier:
        if (!declared_.contains(e->text())) return nullptr;
        return context_.identifier(declared_.find(e->text())->second, e);
    case ast::Kind::Call:
        return call(e);
    case ast::Kind::Conditional:
        return choice(e);
    case ast::Kind::Subscript:
        return access_(e);
    default:
        return nullptr;
    }
}

NodePtr WideValues::binary(NodePtr e) {
    const std::string op(e->child(ast::Binary::op)->text());
    if (isWhole_ && analysis::isComparison(e)) {
        const NodePtr is = truth(e);
        return is ? context_.expression("hpspmd::detail::chosen($is, 1, 0)", {{"$is", is}}, e)
                  : nullptr;
    }
    if (!computes(op)) return nullptr;
    const NodePtr left = of(e->child(ast::Binary::left));
    const NodePtr right = left ? of(e->child(ast::Binary::right)) : nullptr;
    if (!right) return nullptr;
    return context_.expression("$l " + op + " $r", {{"$l", left}, {"$r", right}}, e);
}

NodePtr WideValues::call(NodePtr e) {
    if (!extremeOf(e).empty()) return isWhole_ ? nullptr : extreme(e);
    const std::string_view callee = e->child(ast::Call::callee)->text();
    const auto arguments = e->child(ast::Call::arguments)->children();
    const bool isMagnitude = callee == "std::fabs" || callee == "std::abs";
    const bool isRoot = mathematicalName(e->child(ast::Call::callee)) == "sqrt";
    if (isWhole_ || (!isMagnitude && !isRoot) || arguments.size() != 1) return ofFunction(e);
    if (isRoot && !isDouble(arguments[0]->type)) return nullptr;
    hasRoots_ |= isRoot;
    const NodePtr value = of(arguments[0]);
    return value ? context_.expression(
                       isRoot ? "hpspmd::detail::root($e)" : "hpspmd::detail::magnitude($e)",
                       {{"$e", value}}, e)
                 : nullptr;
}

NodePtr WideValues::ofFunction(NodePtr e) {
    std::vector<NodePtr> arguments;
    for (const NodePtr each : e->child(ast::Call::arguments)->children()) {
        arguments.push_back(of(each));
        if (!arguments.back()) return nullptr;
    }
    return calledValue(context_, e, arguments, number());
}

/// Of numbers of type double, which std::max and its like take two of.
NodePtr WideValues::extreme(NodePtr e) {
    const std::string_view callee = e->child(ast::Call::callee)->text(), name = extremeOf(e);
    if (callee.find('<') != callee.npos && !callee.ends_with("<double>")) return nullptr;
    const auto chosen = [&](const char* function, NodePtr a, NodePtr b) {
        return context_.expression("hpspmd::detail::" + std::string(function) + "($a, $b)",
                                   {{"$a", a}, {"$b", b}}, e);
    };
    const char* const function = name == "max"    ? "largerOf"
                                 : name == "min"  ? "smallerOf"
                                 : name == "fmax" ? "largerNumberOf"
                                                  : "smallerNumberOf";
    NodePtr result = nullptr;
    for (const NodePtr each : offeredTo(e)) {
        const NodePtr value = of(each);
        if (!value) return nullptr;
        if (!result)
            result = value;
        else if (name == "clamp")
            result = chosen(each == offeredTo(e)[1] ? "largerOf" : "smallerOf", result, value);
        else
            result = chosen(function, result, value);
    }
    return result;
}

bool WideValues::readsMore(NodePtr e) const {
    return std::ranges::any_of(ast::allOf<ast::Subscript>(e),
                               [&](NodePtr element) { return ast::print(element) != stored_; });
}

/// Both sides are computed, so they read no elements that may be there only under the condition.
NodePtr WideValues::choice(NodePtr e) {
    const NodePtr then = e->child(ast::Conditional::then),
                  otherwise = e->child(ast::Conditional::otherwise);
    if (!then || readsMore(then) || readsMore(otherwise)) return nullptr;
    const NodePtr a = of(then), b = of(otherwise);
    return a && b ? chosen(e->child(ast::Conditional::condition), a, b) : nullptr;
}

NodePtr WideValues::chosen(NodePtr condition, NodePtr then, NodePtr otherwise) {
    condition = ast::withoutParentheses(condition);
    if (analysis::isNegation(condition))
        return chosen(condition->child(ast::Unary::operand), otherwise, then);
    const NodePtr is = truth(condition);
    return is ? context_.expression("hpspmd::detail::chosen($is, $a, $b)",
                                    {{"$is", is}, {"$a", then}, {"$b", otherwise}}, condition)
              : nullptr;
}

/// True if an operand that is perhaps not evaluated reads no element but those of the other one.
static bool readsNoMore(NodePtr operand, NodePtr other) {
    const auto sure = ast::allOf<ast::Subscript>(other);
    return std::ranges::all_of(ast::allOf<ast::Subscript>(operand), [&](NodePtr element) {
        return std::ranges::any_of(
            sure, [&](NodePtr each) { return ast::print(each) == ast::print(element); });
    });
}

/// Of comparisons in each iteration.
NodePtr WideValues::truth(NodePtr condition) {
    condition = ast::withoutParentheses(condition);
    if (analysis::isNegation(condition)) {
        const NodePtr negated = truth(condition->child(ast::Unary::operand));
        return negated ? context_.expression("($e) == 0", {{"$e", negated}}, condition) : nullptr;
    }
    if (!isReached(condition)) return nullptr;
    if (isOfNumber(condition->type, number())) {
        const NodePtr value = of(condition);
        return value ? context_.expression(isWhole_ ? "($e) != 0" : "($e) != 0.0", {{"$e", value}},
                                           condition)
                     : nullptr;
    }
    if (!condition->is<ast::Binary>()) return nullptr;
    const std::string op(condition->child(ast::Binary::op)->text());
    const NodePtr left = condition->child(ast::Binary::left),
                  right = condition->child(ast::Binary::right);
    const bool joins = (op == "&&" || op == "||") && readsNoMore(right, left);
    if (!joins && !analysis::isComparison(condition)) return nullptr;
    const NodePtr l = joins ? truth(left) : of(left), r = joins ? truth(right) : of(right);
    if (!l || !r) return nullptr;
    return context_.expression(joins ? "($l) " + op.substr(1) + " ($r)" : "$l " + op + " $r",
                               {{"$l", l}, {"$r", r}}, condition);
}

bool isShortInteger(NodePtr e) {
    constexpr size_t longest = 15;
    const std::string_view text = e->text();
    return ast::is<ast::NumberLiteral>(e) && text.size() <= longest &&
           text.find_first_not_of("0123456789") == text.npos && (text[0] != '0' || text == "0");
}

static bool isNumberOf(NodePtr e, const auto& isKnown) {
    if (analysis::isNumber(e->type) || ast::is<ast::NumberLiteral>(e) || isKnown(e)) return true;
    if (ast::is<ast::Parenthesized>(e)) return isNumberOf(e->child(0), isKnown);
    if (ast::is<ast::Unary>(e)) return isNumberOf(e->child(ast::Unary::operand), isKnown);
    return ast::is<ast::Binary>(e) && isNumberOf(e->child(ast::Binary::left), isKnown) &&
           isNumberOf(e->child(ast::Binary::right), isKnown);
}

bool isKnownNumber(NodePtr e) {
    return isNumberOf(e, [](NodePtr) { return false; });
}

/// Whatever elements of tables in it are.
static bool isSurelyDouble(NodePtr e) {
    e = ast::withoutParentheses(e);
    const std::string_view op =
        ast::is<ast::Binary>(e) ? e->child(ast::Binary::op)->text() : std::string_view();
    return isDouble(e->type) || ((op == "+" || op == "-" || op == "*" || op == "/") &&
                                 (isSurelyDouble(e->child(ast::Binary::left)) ||
                                  isSurelyDouble(e->child(ast::Binary::right))));
}

NodePtr presumedDouble(ast::Writer& writer, Elements& elements, NodePtr e, NodePtr other) {
    const auto isElement = [](NodePtr part) { return !tableOfParameter(part).empty(); };
    if (isKnownNumber(e) || !isNumberOf(e, isElement) || (other && !isSurelyDouble(other)))
        return nullptr;
    return writer.expression("hpspmd::detail::asDouble($e)", {{"$e", elements.fast(e)}}, e);
}

NodePtr WideValues::wholeNumber(NodePtr e) {
    constexpr ast::NumberType own{32, true};
    const ast::NumberType number = analysis::numberOf(e);
    if (number.bits == 0 || !analysis::holdsAllOf(own, number)) return nullptr;
    const NodePtr value = elements_.fast(e);
    return number == own ? value : context_.expression("int($e)", {{"$e", value}}, e);
}

/// Converted as it would be in an operation with an element.
NodePtr WideValues::scalar(NodePtr e) {
    if (isWhole_) return wholeNumber(e);
    if (!isKnownNumber(e)) return presumedDouble(context_, elements_, e);
    if (isShortInteger(e)) return ast::literal(context_.arena, std::string(e->text()) + ".0", e);
    if (const auto known = analysis::constantValue(e); known && *known >= 0)
        return ast::literal(context_.arena, std::to_string(*known) + ".0", e);
    if (e->type && e->type->spelled.find("long double") != std::string::npos) return nullptr;
    const NodePtr value = elements_.fast(e);
    const bool isLiteral = ast::is<ast::NumberLiteral>(e) &&
                           e->text().find_first_not_of("0123456789.") == e->text().npos &&
                           e->text().find('.') != e->text().npos;
    if (isDouble(e->type) || isLiteral) return value;
    return context_.expression("double($e)", {{"$e", value}}, e);
}

}  // namespace hpcc::nests
