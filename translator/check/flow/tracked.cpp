// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/tracked.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"

#include <algorithm>

namespace hpcc::check::flow {
namespace {

std::string_view unqualified(const Type& type) {
    std::string_view name = type.spelled;
    if (name.starts_with("const ")) name.remove_prefix(6);
    const auto colon = name.rfind("::");
    return colon == name.npos ? name : name.substr(colon + 2);
}

bool holdsStorageWord(NodePtr specifiers) {
    if (!specifiers) return false;
    if (specifiers->is<ast::MultiarrayType>()) specifiers = ast::elementSpecifiers(specifiers);
    const auto isStorage = [](NodePtr word) {
        const std::string_view text = word ? word->text() : "";
        return text == "static" || text == "extern" || text == "thread_local" || text == "typedef";
    };
    const auto holds = [&](NodePtr list) {
        return list && std::ranges::any_of(list->children(), isStorage);
    };
    return holds(specifiers->child(ast::Specifiers::before)) ||
           holds(specifiers->child(ast::Specifiers::after));
}

}  // namespace

bool isHandle(const Type* type) {
    const auto is = [&](TypeKind kind, std::string_view name) {
        return type->kind == kind && unqualified(*type) == name;
    };
    return type->kind == TypeKind::Multiarray || is(TypeKind::Range, "Range") ||
           is(TypeKind::Group, "Group") || is(TypeKind::Dimension, "Dimension");
}

bool isScalar(const Type* type) { return isNumber(type) || type->kind == TypeKind::Pointer; }

bool startsUnassigned(NodePtr declaration, NodePtr node) {
    if (!node->is<ast::InitDeclarator>() || node->child(ast::InitDeclarator::initializer))
        return false;
    const Symbol* symbol = node->symbol;
    if (!symbol || symbol->kind != ast::SymbolKind::Variable || symbol->declaration != node)
        return false;
    const NodePtr declarator = node->child(ast::InitDeclarator::declarator);
    if (!declarator->is<ast::Identifier>() && !declarator->is<ast::PointerDeclarator>())
        return false;
    const Type* type = typeOf(node);
    if (type->isReference || !(isHandle(type) || isScalar(type))) return false;
    return !holdsStorageWord(declaration->child(ast::Declaration::specifiers));
}

bool bindsReference(NodePtr declarator) {
    if (!declarator) return false;
    if (declarator->is<ast::StructuredBinding>() || declarator->is<ast::Reference>() ||
        declarator->is<ast::RvalueReference>())
        return true;
    if (declarator->is<ast::PointerOperators>())
        return std::ranges::any_of(declarator->children(), bindsReference);
    if (!declarator->is<ast::PointerDeclarator>() && !declarator->is<ast::ArrayDeclarator>() &&
        !declarator->is<ast::ParenthesizedDeclarator>())
        return false;
    return std::ranges::any_of(declarator->children(), bindsReference);
}

}  // namespace hpcc::check::flow
