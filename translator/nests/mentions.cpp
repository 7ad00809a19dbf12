// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/mentions.hpp"

#include "ast/declarators.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

/// hpspmd::detail::part, level.part and part<2> are no variable `part`.
bool belongsToOther(NodePtr name, NodePtr parent) {
    return parent->is<ast::QualifiedName>() ||
           (parent->is<ast::Member>() && parent->child(ast::Member::name) == name) ||
           (parent->is<ast::TemplateName>() && parent->child(ast::TemplateName::name) == name);
}

}  // namespace

Mentions::Mentions(NodePtr node) { visit(node); }

void Mentions::visit(NodePtr node) {
    if (ast::is<ast::Identifier>(node)) names_[node->text()].mentions.push_back(node);
    if (ast::is<ast::InitDeclarator>(node))
        if (const NodePtr name = ast::declaredName(node->child(ast::InitDeclarator::declarator))) {
            Name& found = names_[name->text()];
            ++found.declarations;
            found.declarator = node;
        }
    for (const NodePtr child : node->children())
        if (child && !(ast::is<ast::Identifier>(child) && belongsToOther(child, node)))
            visit(child);
}

const std::vector<NodePtr>& Mentions::of(std::string_view name) const {
    static const std::vector<NodePtr> none;
    const auto found = names_.find(name);
    return found == names_.end() ? none : found->second.mentions;
}

NodePtr Mentions::declarator(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() || found->second.declarations != 1 ? nullptr
                                                                    : found->second.declarator;
}

bool Mentions::isNewArray(std::string_view name) const {
    const NodePtr declared = declarator(name);
    const NodePtr initializer =
        declared ? declared->child(ast::InitDeclarator::initializer) : nullptr;
    return ast::is<ast::EqualInitializer>(initializer) &&
           ast::is<ast::NewMultiarray>(initializer->child(ast::EqualInitializer::value));
}

}  // namespace hpcc::nests
