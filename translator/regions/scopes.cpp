// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/scopes.hpp"

#include "ast/declarators.hpp"
#include "ast/search.hpp"

namespace hpcc::regions {
namespace {

void addName(NodePtr declarator, std::vector<NodePtr>& names) {
    if (const NodePtr name = ast::declaredName(declarator)) return names.push_back(name);
    for (const NodePtr each : ast::allOf<ast::StructuredBinding>(declarator))
        names.insert(names.end(), each->children().begin(), each->children().end());
}

void addNames(NodePtr node, std::vector<NodePtr>& names) {
    if (!node || ast::isAny<ast::Compound, ast::Lambda>(node)) return;
    switch (node->kind()) {
    case ast::Kind::InitDeclarator:
        return addName(node->child(ast::InitDeclarator::declarator), names);
    case ast::Kind::ConditionDeclaration:
        return addName(node->child(ast::ConditionDeclaration::declarator), names);
    case ast::Kind::Parameter:
        return addName(node->child(ast::Parameter::declarator), names);
    case ast::Kind::RangeFor:
        addName(node->child(ast::RangeFor::declarator), names);
        return addNames(node->child(ast::RangeFor::initializer), names);
    case ast::Kind::OverallHeader:
        return names.push_back(node->child(ast::OverallHeader::index));
    case ast::Kind::At:
        return names.push_back(node->child(ast::At::index));
    case ast::Kind::AliasDeclaration:
        return names.push_back(node->child(ast::AliasDeclaration::name));
    case ast::Kind::UsingDeclaration:
        return names.push_back(node->child(ast::UsingDeclaration::name));
    case ast::Kind::Class:
    case ast::Kind::TypeParameter:
    case ast::Kind::ValueParameter:
        if (node->child(0)) names.push_back(node->child(0));
        return;
    default:
        for (const NodePtr child : node->children())
            if (!ast::isStatement(child) || child->is<ast::Declaration>()) addNames(child, names);
    }
}

}  // namespace

std::vector<NodePtr> namesDeclared(NodePtr node) {
    std::vector<NodePtr> names;
    addNames(node, names);
    return names;
}

void Scopes::note(NodePtr declaration) {
    if (scopes_.empty()) return;
    for (const NodePtr each : namesDeclared(declaration)) {
        const NodePtr name =
            each->is<ast::QualifiedName>() ? each->child(ast::QualifiedName::name) : each;
        scopes_.back().emplace_back(name->text(), name->symbol);
    }
}

std::optional<const Symbol*> Scopes::find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        for (auto declared = scope->rbegin(); declared != scope->rend(); ++declared)
            if (declared->first == name) return declared->second;
    return std::nullopt;
}

}  // namespace hpcc::regions
