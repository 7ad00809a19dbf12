// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/policies.hpp"

#include <algorithm>
#include <set>

#include "analysis/harmless_calls.hpp"
#include "analysis/instance_types.hpp"
#include "analysis/numbers.hpp"
#include "analysis/plain_values.hpp"
#include "ast/declarators.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "nests/container_elements.hpp"

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

/// `double operator()(double v) const` that computes from its parameters and its own numbers.
bool isComputingFunctor(NodePtr function, NodePtr name) {
    return name && name->text() == "operator()" &&
           ast::isQualifiedAs(function->child(ast::FunctionDefinition::declarator), "const") &&
           analysis::computesFromOwn(function);
}

/// The name of a member function, and if it only computes: a static one from its parameters alone.
std::pair<std::string_view, bool> functionOf(NodePtr member) {
    NodePtr name = nullptr;
    if (ast::is<ast::FunctionDefinition>(member)) {
        name = ast::declaredName(member->child(ast::FunctionDefinition::declarator));
        return {name ? name->text() : "",
                isComputingFunctor(member, name) ||
                    (isStatic(member) && analysis::isHarmlessFunction(member))};
    }
    const NodePtr declarators =
        ast::is<ast::Declaration>(member) ? member->child(ast::Declaration::declarators) : nullptr;
    if (declarators && !declarators->children().empty())
        name = ast::declaredName(declarators->child(0)->child(ast::InitDeclarator::declarator));
    return {name ? name->text() : "", false};
}

/// True if its functions with a name are perhaps more than those that are looked at.
bool hasOthers(NodePtr member) { return ast::isAny<ast::Template, ast::UsingDeclaration>(member); }

/// The template parameter of which a callee is a function, or an object that stays as it is.
NodePtr calledParameter(NodePtr callee) {
    if (ast::is<ast::QualifiedName>(callee)) {
        const NodePtr parameter = callee->child(ast::QualifiedName::qualifier);
        const bool isParameter = ast::is<ast::Identifier>(parameter) && parameter->symbol &&
                                 parameter->symbol->kind == ast::SymbolKind::TemplateParameter;
        return isParameter ? parameter : nullptr;
    }
    const ast::Symbol* object = ast::is<ast::Identifier>(callee) ? callee->symbol : nullptr;
    const bool isConstant = object && object->kind == ast::SymbolKind::Parameter && object->type &&
                            object->type->isConst;
    return isConstant && analysis::typeParameterOf(object->type) ? callee : nullptr;
}

/// True if a statement changes what is perhaps a number of an object out of sight.
bool mayChangeObjects(NodePtr node) {
    const NodePtr target = ast::withoutParentheses(ast::changedOperand(node));
    NodePtr root = target;
    while (ast::isAny<ast::Member, ast::Subscript>(root) && !analysis::elementOf(root))
        root = ast::withoutParentheses(root->child(0));
    if (!root || analysis::elementOf(root)) return false;
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(root) ? root->symbol : nullptr;
    const bool isVariable = symbol && (symbol->kind == ast::SymbolKind::Variable ||
                                       symbol->kind == ast::SymbolKind::Parameter);
    return !isVariable || !analysis::isNumber(target->type) ||
           !(analysis::isPlainValue(symbol->type) || isVector(root));
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
        if (std::ranges::any_of(node->child(ast::Class::members)->children(), hasOthers)) continue;
        for (const std::string_view function : computing)
            if (!other.contains(function))
                classes_->operator[](function).emplace_back(node, prefix + symbol->name);
    }
}

std::string Policies::premiseOf(NodePtr call, NodePtr function) const {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr parameter = calledParameter(callee);
    const bool isObject = parameter && parameter == callee;
    const auto fits = [&](NodePtr argument) {
        return isObject ? analysis::isNumber(argument->type) : !ast::isObject(argument->type);
    };
    if (!parameter || !scope_ ||
        !std::ranges::all_of(call->child(ast::Call::arguments)->children(), fits) ||
        (isObject && (!function || ast::anywhere(function, mayChangeObjects))))
        return "";
    if (!classes_) {
        classes_.emplace();
        collect(*scope_, "::");
    }
    const auto found =
        classes_->find(isObject ? "operator()" : callee->child(ast::QualifiedName::name)->text());
    if (found == classes_->end()) return "";
    const source::Span place = call->origin()->span();
    std::string list;
    for (const auto& [node, name] : found->second)
        if (node->span().text == place.text && node->span().end <= place.begin) list += ", " + name;
    return list.empty() ? ""
                        : "hpspmd::detail::isOneOfClasses<" +
                              (isObject ? analysis::typeParameterOf(callee->symbol->type)->name
                                        : std::string(parameter->text())) +
                              list + ">";
}

std::string tableOfParameter(NodePtr element) {
    NodePtr name = element;
    while (ast::is<ast::Subscript>(name))
        name = ast::withoutParentheses(name->child(ast::Subscript::base));
    const bool isMember = name != element && ast::is<ast::QualifiedName>(name) && !name->symbol &&
                          ast::is<ast::Identifier>(name->child(ast::QualifiedName::name));
    NodePtr space = isMember ? name->child(ast::QualifiedName::qualifier) : nullptr;
    if (ast::is<ast::TemplateName>(space)) space = space->child(ast::TemplateName::name);
    const ast::Symbol* const symbol = ast::is<ast::Identifier>(space) ? space->symbol : nullptr;
    const bool isType = symbol && (symbol->kind == ast::SymbolKind::TemplateParameter ||
                                   symbol->kind == ast::SymbolKind::Alias ||
                                   symbol->kind == ast::SymbolKind::Class);
    return isType ? ast::print(name) : "";
}

}  // namespace hpcc::nests
