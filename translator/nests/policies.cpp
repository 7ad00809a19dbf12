// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/policies.hpp"

#include <algorithm>
#include <set>

#include "analysis/harmless_calls.hpp"
#include "ast/declarators.hpp"
#include "ast/scope.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::nests {

using ast::NodePtr;

namespace {

bool isStatic(NodePtr function) {
    const NodePtr specifiers = function->child(ast::FunctionDefinition::specifiers);
    const NodePtr before =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before) : nullptr;
    return before && std::ranges::any_of(before->children(),
                                         [](NodePtr word) { return word->text() == "static"; });
}

/// The name of a member function, and if it is a static one that only computes.
std::pair<std::string_view, bool> functionOf(NodePtr member) {
    NodePtr name = nullptr;
    if (ast::is<ast::FunctionDefinition>(member)) {
        name = ast::declaredName(member->child(ast::FunctionDefinition::declarator));
        return {name ? name->text() : "", isStatic(member) && analysis::isHarmlessFunction(member)};
    }
    const NodePtr declarators =
        ast::is<ast::Declaration>(member) ? member->child(ast::Declaration::declarators) : nullptr;
    if (declarators && !declarators->children().empty())
        name = ast::declaredName(declarators->child(0)->child(ast::InitDeclarator::declarator));
    return {name ? name->text() : "", false};
}

}  // namespace

void Policies::collect(const ast::Scope& scope, const std::string& prefix) const {
    for (const ast::Symbol* symbol : scope.symbols()) {
        const NodePtr node = symbol->declaration;
        if (symbol->kind == ast::SymbolKind::Namespace && symbol->members)
            collect(*symbol->members, symbol->name.empty() ? prefix : prefix + symbol->name + "::");
        if (symbol->kind != ast::SymbolKind::Class || symbol->isTemplate ||
            !ast::is<ast::Class>(node) || !node->child(ast::Class::members))
            continue;
        std::set<std::string_view> computing, other;
        for (const NodePtr member : node->child(ast::Class::members)->children()) {
            const auto [function, isHarmless] = functionOf(member);
            if (!function.empty()) (isHarmless ? computing : other).insert(function);
        }
        for (const std::string_view function : computing)
            if (!other.contains(function))
                classes_->operator[](function).emplace_back(node, prefix + symbol->name);
    }
}

std::string Policies::premiseOf(NodePtr call) const {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr parameter = ast::is<ast::QualifiedName>(callee)
                                  ? callee->child(ast::QualifiedName::qualifier)
                                  : nullptr;
    const bool isOfParameter = ast::is<ast::Identifier>(parameter) && parameter->symbol &&
                               parameter->symbol->kind == ast::SymbolKind::TemplateParameter;
    const bool takesObjects =
        std::ranges::any_of(call->child(ast::Call::arguments)->children(),
                            [](NodePtr argument) { return ast::isObject(argument->type); });
    if (!isOfParameter || takesObjects || !scope_) return "";
    if (!classes_) {
        classes_.emplace();
        collect(*scope_, "::");
    }
    const auto found = classes_->find(callee->child(ast::QualifiedName::name)->text());
    if (found == classes_->end()) return "";
    const source::Span place = call->origin()->span();
    std::string list;
    for (const auto& [node, name] : found->second)
        if (node->span().text == place.text && node->span().end <= place.begin) list += ", " + name;
    return list.empty()
               ? ""
               : "hpspmd::detail::isOneOfClasses<" + std::string(parameter->text()) + list + ">";
}

}  // namespace hpcc::nests
