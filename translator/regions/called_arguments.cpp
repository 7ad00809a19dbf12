// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_arguments.hpp"

#include <algorithm>

#include "ast/purity.hpp"
#include "ast/search.hpp"

namespace hpcc::regions {

bool isSameNumber(const ast::Type* a, const ast::Type* b) {
    if (!ast::isNumber(a) || !ast::isNumber(b) || a->kind != b->kind) return false;
    return a->kind == ast::TypeKind::Integer ? a->number == b->number && a->number.bits > 0
                                             : a->spelled == b->spelled;
}

std::string flat(std::string_view text) {
    std::string result;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const std::string_view rest = text.substr(k);
        if (rest.starts_with("//")) {
            k += std::min(rest.find('\n'), rest.size()) - 1;
        } else if (rest.starts_with("/*")) {
            k += std::min(rest.find("*/") + 1, rest.size() - 1);
        } else {
            result += text[k] == '\n' || text[k] == '\r' ? ' ' : text[k];
        }
    }
    return result;
}

bool isPath(NodePtr value) {
    value = ast::withoutParentheses(value);
    if (ast::isSimple(value)) return true;
    if (ast::is<ast::Subscript>(value))
        return isPath(value->child(ast::Subscript::base)) &&
               std::ranges::all_of(value->child(ast::Subscript::subscripts)->children(),
                                   [](NodePtr each) { return ast::isPure(each); });
    return ast::isAny<ast::Member, ast::PointerMember>(value) && isPath(value->child(0));
}

bool isLvalue(NodePtr e) {
    return ast::isAny<ast::Identifier, ast::Subscript, ast::Member, ast::PointerMember>(
        ast::withoutParentheses(e));
}

bool isLiteral(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "-")
        e = ast::withoutParentheses(e->child(ast::Unary::operand));
    return ast::is<ast::NumberLiteral>(e);
}

std::string_view accessOf(const Symbol* member, const Symbol* owner) {
    const NodePtr definition = owner ? owner->declaration : nullptr;
    if (!ast::is<ast::Class>(definition) || !member->declaration) return "";
    std::string_view access = definition->text().starts_with("class") ? "private" : "public";
    for (const NodePtr each : definition->child(ast::Class::members)->children()) {
        for (const std::string_view word : {"public", "protected", "private"})
            if (ast::is<ast::AccessSpecifier>(each) && each->text().starts_with(word))
                access = word;
        if (each->span().contains(member->declaration->span())) return access;
    }
    return "";
}

bool isPublic(const Symbol* member, const Symbol* owner) {
    return accessOf(member, owner) == "public";
}

bool isThis(NodePtr node) { return ast::is<ast::KeywordLiteral>(node) && node->text() == "this"; }

bool isThisObject(NodePtr node) {
    return ast::is<ast::Unary>(node) && node->child(ast::Unary::op)->text() == "*" &&
           isThis(ast::withoutParentheses(node->child(ast::Unary::operand)));
}

bool isOfThis(NodePtr node) { return ast::is<ast::PointerMember>(node) && isThis(node->child(0)); }

static NodePtr coreOf(NodePtr parameter) {
    const NodePtr specifiers = parameter->child(ast::Parameter::specifiers);
    return ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core)
                                                : nullptr;
}

bool isDeduced(NodePtr parameter) {
    const NodePtr core = coreOf(parameter);
    return ast::is<ast::AutoType>(core) ||
           (ast::is<ast::Identifier>(core) && core->symbol &&
            core->symbol->kind == ast::SymbolKind::TemplateParameter);
}

}  // namespace hpcc::regions
