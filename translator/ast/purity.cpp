// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/purity.hpp"

#include <algorithm>

#include "ast/known_calls.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::ast {
namespace {

bool isPureOperand(NodePtr e) {
    return isPure(e) && !(isExpression(e) && isObject(withoutParentheses(e)->type));
}

/// `x / y`, `x % y`, `x /= y` ..; floating-point numbers are divided by anything.
bool mayDivideByZero(NodePtr e) {
    if (!isAny<Binary, Assign>(e) || (e->type && e->type->kind == TypeKind::Floating)) return false;
    const bool assigns = is<Assign>(e);
    const std::string_view op = e->child(assigns ? Assign::op : Binary::op)->text();
    const NodePtr divisor = e->child(assigns ? Assign::value : Binary::right);
    return (op.starts_with('/') || op.starts_with('%')) && asConstant(divisor).value_or(0) <= 0;
}

/// An object of the program may be asked for its value by a function of its own.
bool allPure(NodePtr node) {
    return std::ranges::all_of(node->children(),
                               [](NodePtr child) { return !child || isPureOperand(child); });
}

bool isPureInquiry(NodePtr call) {
    const RuntimeMember* inquiry = inquiryOf(call);
    return inquiry &&
           (inquiry->answers == Answers::Value || inquiry->answers == Answers::ValueOfNull) &&
           isPure(call->child(Call::callee)->child(Member::base)) &&
           allPure(call->child(Call::arguments));
}

}  // namespace

NodePtr withoutParentheses(NodePtr node) {
    while (is<Parenthesized>(node)) node = node->child(Parenthesized::expression);
    return node;
}

bool isSimple(NodePtr expression) {
    if (is<Identifier>(expression)) return true;
    if (is<KeywordLiteral>(expression)) return expression->text() == "this";
    if (is<QualifiedName>(expression))
        return is<Identifier>(expression->child(QualifiedName::name));
    if (is<Member>(expression))
        return isSimple(expression->child(Member::base)) &&
               is<Identifier>(expression->child(Member::name));
    if (is<PointerMember>(expression))
        return isSimple(expression->child(PointerMember::base)) &&
               is<Identifier>(expression->child(PointerMember::name));
    return false;
}

NodePtr convertedToNumber(NodePtr expression) {
    NodePtr list = nullptr;
    if (is<Cast>(expression) || is<NamedCast>(expression)) {
        return isNumber(expression->type) ? expression->children().back() : nullptr;
    } else if (is<FunctionalCast>(expression) && isNumber(expression->type)) {
        list = expression->child(FunctionalCast::arguments);
    } else if (is<Call>(expression)) {
        const Symbol* symbol = expression->child(Call::callee)->symbol;
        const bool isType =
            symbol && (symbol->kind == SymbolKind::Alias || symbol->kind == SymbolKind::Class);
        if (isType && isNumber(symbol->type)) list = expression->child(Call::arguments);
    }
    const bool isList = is<Arguments>(list) || is<BracedInitializer>(list);
    return isList && list->children().size() == 1 ? list->child(0) : nullptr;
}

bool isPure(NodePtr expression) {
    if (isSimple(expression)) return true;
    if (const NodePtr operand = convertedToNumber(expression)) return isPureOperand(operand);
    switch (expression->kind()) {
    case Kind::NumberLiteral:
    case Kind::CharacterLiteral:
    case Kind::KeywordLiteral:
        return true;
    case Kind::Call:
        return isPureInquiry(expression);
    case Kind::Unary: {
        const std::string_view op = expression->child(Unary::op)->text();
        return (op == "-" || op == "+" || op == "!" || op == "~") && allPure(expression);
    }
    case Kind::Parenthesized:
    case Kind::Binary:
    case Kind::Operator:
    case Kind::Conditional:
    case Kind::Section:
    case Kind::Slots:
    case Kind::Triplet:
    case Kind::GlobalIndex:
        return allPure(expression);
    default:
        return false;
    }
}

bool isSafe(NodePtr expression) {
    if (is<Identifier>(expression)) {  // perhaps the name of a number behind a pointer
        const Symbol* symbol = expression->symbol;
        return !symbol || !symbol->standsForGeneral || !symbol->type->isReference;
    }
    if (is<PointerMember>(expression))
        return withoutParentheses(expression->child(PointerMember::base))->text() == "this";
    return !mayDivideByZero(expression) &&
           std::ranges::all_of(expression->children(),
                               [](NodePtr child) { return !child || isSafe(child); });
}

bool isShortCircuit(NodePtr binary) {
    const std::string_view op = binary->child(Binary::op)->text();
    return op == "&&" || op == "||" || op == "and" || op == "or";
}

}  // namespace hpcc::ast
