#include "ast/purity.hpp"

#include <algorithm>
#include <array>

namespace hpcc::ast {
namespace {

constexpr std::array<std::string_view, 12> inquiries = {
    "rng", "grp",         "dim",         "size",   "valid",   "stride",
    "str", "loExtension", "hiExtension", "volume", "members", "subrange"};

bool allPure(NodePtr node) {
    return std::ranges::all_of(node->children(),
                               [](NodePtr child) { return !child || isPure(child); });
}

bool isInquiry(NodePtr call) {
    const NodePtr callee = call->child(Call::callee);
    if (!is<Member>(callee)) return false;
    const std::string_view name = callee->child(Member::name)->text();
    return std::ranges::find(inquiries, name) != inquiries.end();
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

bool isPure(NodePtr expression) {
    if (isSimple(expression)) return true;
    switch (expression->kind()) {
    case Kind::NumberLiteral:
    case Kind::CharacterLiteral:
    case Kind::KeywordLiteral:
        return true;
    case Kind::Call:
        return isInquiry(expression) && isPure(expression->child(Call::callee)->child(0)) &&
               allPure(expression->child(Call::arguments));
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

bool isShortCircuit(NodePtr binary) {
    const std::string_view op = binary->child(Binary::op)->text();
    return op == "&&" || op == "||" || op == "and" || op == "or";
}

}  // namespace hpcc::ast
