// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/formals.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "lower/schemata.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// The function declarator of a function definition or of a declaration of one function.
NodePtr onlyFunctionDeclarator(NodePtr declaration) {
    while (ast::is<ast::Attributed>(declaration))
        declaration = declaration->child(ast::Attributed::declaration);
    NodePtr declarator = nullptr;
    if (ast::is<ast::FunctionDefinition>(declaration) ||
        ast::is<ast::SpecialDeclaration>(declaration)) {
        declarator = declaration->child(1);
    } else if (ast::is<ast::Declaration>(declaration)) {
        const NodePtr list = declaration->child(ast::Declaration::declarators);
        if (list && list->children().size() == 1)
            declarator = list->child(0)->child(ast::InitDeclarator::declarator);
    }
    while (ast::is<ast::PointerDeclarator>(declarator))
        declarator = declarator->child(ast::PointerDeclarator::declarator);
    return ast::is<ast::FunctionDeclarator>(declarator) ? declarator : nullptr;
}

/// Template heads that belong to the classes in `Solver<T>::add`.
int headsOfClasses(NodePtr name) {
    int heads = 0;
    while (ast::is<ast::QualifiedName>(name)) {
        const NodePtr qualifier = name->child(ast::QualifiedName::qualifier);
        const NodePtr last = ast::is<ast::QualifiedName>(qualifier)
                                 ? qualifier->child(ast::QualifiedName::name)
                                 : qualifier;
        heads += ast::is<ast::TemplateName>(last) ? 1 : 0;
        name = qualifier;
    }
    return heads;
}

std::unordered_set<std::string_view> parameterNames(NodePtr parameters) {
    std::unordered_set<std::string_view> names;
    for (const NodePtr parameter : parameters->children())
        for (const NodePtr name : parameter->children())
            if (ast::is<ast::Identifier>(name)) names.insert(name->text());
    return names;
}

bool mentions(NodePtr node, const std::unordered_set<std::string_view>& names) {
    return std::ranges::any_of(ast::namesIn(node),
                               [&](std::string_view name) { return names.contains(name); });
}

std::string formalName(NodePtr parameter) {
    NodePtr declarator = parameter->child(ast::Parameter::declarator);
    while (ast::is<ast::PointerDeclarator>(declarator))
        declarator = declarator->child(ast::PointerDeclarator::declarator);
    return ast::is<ast::Identifier>(declarator) ? std::string(declarator->text()) : "slot";
}

}  // namespace

FreeSlots freeSlots(const Context& context, NodePtr parameters, NodePtr declaration, int heads) {
    FreeSlots result;
    const NodePtr function = onlyFunctionDeclarator(declaration);
    if (!function || headsOfClasses(function->child(ast::FunctionDeclarator::declarator)) >= heads)
        return result;
    const auto own = parameterNames(parameters);
    ast::FreshNames::Given taken;
    for (const NodePtr formal : function->child(ast::FunctionDeclarator::parameters)->children()) {
        if (!formal->is<ast::Parameter>()) continue;
        const NodePtr type = formal->child(ast::Parameter::specifiers);
        if (!ast::is<ast::MultiarrayType>(type)) continue;
        if (!mentions(type->child(ast::MultiarrayType::specifiers), own)) continue;
        auto& slots = result.ofType[type];
        const auto dimensions = type->child(ast::MultiarrayType::dimensions)->children();
        for (size_t r = 0; r < dimensions.size(); ++r) {
            slots.emplace_back();
            if (!dimensions[r]->is<ast::DistributedSlot>()) continue;
            const std::string wanted = formalName(formal) + "_" + std::to_string(r);
            slots.back() = context.names.name(wanted, taken);
            result.names.push_back(slots.back());
        }
    }
    return result;
}

NodePtr addFreeSlots(Context& context, NodePtr lowered, const FreeSlots& slots) {
    if (slots.names.empty()) return lowered;
    const NodePtr head = lowered->child(ast::Template::parameters);
    std::vector<NodePtr> parameters(head->children().begin(), head->children().end());
    std::string condition;
    for (const std::string& name : slots.names) {
        parameters.push_back(context.identifier("class " + name, lowered));
        condition += (condition.empty() ? "" : " && ") + ("hpspmd::detail::isSlot<" + name + ">");
    }
    NodePtr declaration = lowered->child(ast::Template::declaration);
    if (declaration->is<ast::FunctionDefinition>()) {
        const NodePtr body = declaration->child(ast::FunctionDefinition::body);
        const NodePtr assertion = context.statement("static_assert(" + condition + ");", {}, head);
        if (body->is<ast::Compound>())
            declaration = ast::withChild(context.arena, declaration, ast::FunctionDefinition::body,
                                         blockWith(context, {assertion}, body));
    }
    std::vector<NodePtr> parts(lowered->children().begin(), lowered->children().end());
    parts[ast::Template::parameters] = ast::rebuild(context.arena, head, parameters);
    parts[ast::Template::declaration] = declaration;
    return ast::rebuild(context.arena, lowered, parts);
}

}  // namespace hpcc::lower
