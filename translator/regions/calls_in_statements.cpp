// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/calls_in_statements.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/effects.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "regions/called_function.hpp"

namespace hpcc::regions {
namespace {

// Whether operands are evaluated at all, or when, is decided in the expression.
bool isEvaluatedLater(NodePtr node, std::size_t slot) {
    if (ast::is<ast::Conditional>(node)) return slot > ast::Conditional::condition;
    if (ast::is<ast::Binary>(node)) return slot == ast::Binary::right && ast::isShortCircuit(node);
    return ast::isAny<ast::Comma, ast::OverallExpression>(node);
}

bool isUnevaluated(NodePtr node) {
    return ast::isAny<ast::Sizeof, ast::Noexcept, ast::DecltypeType, ast::Typeid, ast::Lambda>(
        node);
}

// The call is all that the statement evaluates, but for the place that gets its value.
bool isWhole(NodePtr expression, NodePtr call) {
    expression = ast::withoutParentheses(expression);
    if (expression == call) return true;
    if (ast::is<ast::EqualInitializer>(expression))
        expression = ast::withoutParentheses(expression->child(0));
    if (ast::is<ast::Assign>(expression) &&
        !expression->child(ast::Assign::target)->contains(ast::call))
        expression = ast::withoutParentheses(expression->child(ast::Assign::value));
    return expression == call;
}

// Something else than an assignment as a whole, and than the call, has an effect.
bool hasEffectInside(NodePtr expression, NodePtr call, const std::vector<Found>& calls,
                     const CodeOf& codeOf) {
    const NodePtr whole = ast::withoutParentheses(expression);
    return ast::anywhere(whole, [&](NodePtr each) {
        if (each != whole && ast::changedOperand(each)) return true;
        if (each == call || !ast::is<ast::Call>(each) || analysis::isHarmlessCall(each) ||
            ast::isMathematicalCall(each))
            return false;
        const auto known = std::ranges::find(calls, each, &Found::call);
        if (known == calls.end()) return !ast::isPure(each);
        const auto code = codeOf(each);
        return !std::holds_alternative<CalledCode>(code) ||
               !std::get<CalledCode>(code).onlyComputes;
    });
}

// All that the call changes are variables that the expressions name nowhere else, and read by no
// other call.
bool changesApart(const CalledCode& code, NodePtr call, const std::vector<NodePtr>& expressions) {
    if (code.onlyComputes) return true;
    if (code.object || !onlyChangesGiven(code.function)) return false;
    const auto isNamedOnce = [&](const Given& given) {
        const Symbol* const variable = given.value->symbol;
        const bool isVariable = ast::is<ast::Identifier>(given.value) && variable &&
                                variable->type && !variable->type->isReference;
        return isVariable && std::ranges::all_of(expressions, [&](NodePtr each) {
                   return std::ranges::count(ast::allOf<ast::Identifier>(each), variable,
                                             [](NodePtr name) { return name->symbol; }) <= 1;
               });
    };
    const auto isOther = [call](NodePtr each) {
        return ast::is<ast::Call>(each) && each != call && !ast::isMathematicalCall(each);
    };
    return std::ranges::all_of(code.given,
                               [&](const Given& each) {
                                   return !each.isReference || !each.isChanged || isNamedOnce(each);
                               }) &&
           std::ranges::none_of(expressions,
                                [&](NodePtr each) { return ast::anywhere(each, isOther); });
}

}  // namespace

void addCalls(NodePtr node, NodePtr parent, bool isLater, const CodeOf& codeOf,
              std::vector<Found>& found) {
    if (!node || isUnevaluated(node)) return;
    const bool isOperator = !parent && !isLater && isOperatorCall(node);
    if (!isOperator && !node->contains(ast::call)) return;
    if (isOperator || ast::is<ast::Call>(node)) {
        const auto called = codeOf(node);
        if (!std::holds_alternative<NotCalled>(called))
            return found.push_back({node, parent, isLater});
    }
    const bool isGroup =
        ast::isAny<ast::Parenthesized, ast::EqualInitializer, ast::Conditional, ast::Arguments>(
            node);
    if (!isGroup)
        parent = ast::is<ast::Call>(node) && ast::isMathematicalCall(node) ? nullptr : node;
    for (std::size_t k = 0; k < node->children().size(); ++k)
        if (!ast::isStatement(node->children()[k]))
            addCalls(node->children()[k], parent, isLater || isEvaluatedLater(node, k), codeOf,
                     found);
}

std::vector<NodePtr> evaluatedFirst(NodePtr statement) {
    switch (statement->kind()) {
    case ast::Kind::ExpressionStatement:
    case ast::Kind::Return:
        return {statement->child(0)};
    case ast::Kind::Declaration: {
        const NodePtr all = statement->child(ast::Declaration::declarators);
        if (!all || all->children().size() != 1) return {};
        return {all->child(0)->child(ast::InitDeclarator::initializer)};
    }
    case ast::Kind::If:
    case ast::Kind::Switch:
        if (statement->child(0)) return {};
        return {statement->child(1)};
    default:
        return {};
    }
}

bool declaresReference(NodePtr statement) {
    const NodePtr all = ast::is<ast::Declaration>(statement)
                            ? statement->child(ast::Declaration::declarators)
                            : nullptr;
    return all && std::ranges::any_of(all->children(), [](NodePtr each) {
               return ast::is<ast::PointerDeclarator>(each->child(0));
           });
}

bool mayComeFirst(NodePtr call, const std::vector<NodePtr>& expressions,
                  const std::vector<Found>& calls, const CodeOf& codeOf) {
    const auto code = codeOf(call);
    if (!std::holds_alternative<CalledCode>(code)) return false;
    const bool isApart = changesApart(std::get<CalledCode>(code), call, expressions);
    return std::ranges::all_of(expressions, [&](NodePtr each) {
        return isWhole(each, call) || (isApart && !hasEffectInside(each, call, calls, codeOf));
    });
}

}  // namespace hpcc::regions
