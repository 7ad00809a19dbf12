// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/constants.hpp"

#include "check/facts.hpp"

#include <algorithm>

namespace hpcc::check::flow {

std::optional<bool> literalCondition(NodePtr expression) {
    if (!expression) return std::nullopt;
    const std::string_view text = expression->text();
    if (expression->is<ast::KeywordLiteral>() && (text == "true" || text == "false"))
        return text == "true";
    if (expression->is<ast::NumberLiteral>() && (text == "1" || text == "0")) return text == "1";
    return std::nullopt;
}

Logic logicOf(NodePtr expression) {
    if (ast::is<ast::Binary>(expression)) {
        const std::string_view op = expression->child(ast::Binary::op)->text();
        if (op == "&&" || op == "and") return Logic::And;
        if (op == "||" || op == "or") return Logic::Or;
    }
    if (ast::is<ast::Unary>(expression)) {
        const std::string_view op = expression->child(ast::Unary::op)->text();
        if (op == "!" || op == "not") return Logic::Not;
    }
    return Logic::None;
}

bool isConstexprIf(NodePtr ifStatement) {
    const std::string_view text = ifStatement->text();
    const auto open = text.find('(');
    return text.substr(0, open).find("constexpr") != text.npos;
}

bool mayBeExhaustive(NodePtr chosen, const std::vector<const Symbol*>& covered) {
    const Type* type = typeOf(bare(chosen));
    if (type->kind == TypeKind::Integer) {  // also an enum without `class`
        return std::ranges::any_of(covered, [](const Symbol* symbol) {
            return symbol->kind == ast::SymbolKind::Enumerator;
        });
    }
    const NodePtr declaration = type->classSymbol ? type->classSymbol->declaration : nullptr;
    const NodePtr enumerators =
        ast::is<ast::Enum>(declaration) ? declaration->child(ast::Enum::enumerators) : nullptr;
    if (!enumerators) return true;
    return std::ranges::all_of(enumerators->children(), [&](NodePtr each) {
        if (!ast::is<ast::Enumerator>(each)) return true;
        const NodePtr value = each->child(ast::Enumerator::value);
        const bool mayBeAlias = value && !value->is<ast::NumberLiteral>();  // of another one
        return mayBeAlias || std::ranges::find(covered, each->symbol) != covered.end();
    });
}

}  // namespace hpcc::check::flow
