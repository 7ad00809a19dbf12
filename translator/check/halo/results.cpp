// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/results.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "check/callee.hpp"
#include "check/facts.hpp"

namespace hpcc::check::halo {
namespace {

using ast::SymbolKind;

// A lambda that a variable holds for good.
NodePtr lambdaOf(const Symbol* symbol) {
    if (!symbol || symbol->kind != SymbolKind::Variable || !isStable(symbol)) return nullptr;
    const NodePtr value = singleInitializer(symbol->initializer);
    return ast::is<ast::Lambda>(value) ? value : nullptr;
}

// True if the call may mean this overload, as far as ranks and element types tell.
bool mayMean(NodePtr call, const Type& function) {
    const auto given = call->child(ast::Call::arguments)->children();
    if (!acceptsCount(function, given.size())) return false;
    for (std::size_t k = 0; k < given.size() && k < function.parameters.size(); ++k) {
        const Type &own = *typeOf(given[k]), &formal = *function.parameters[k];
        if (own.kind != TypeKind::Multiarray || formal.kind != TypeKind::Multiarray) continue;
        if (own.slots.size() != formal.slots.size()) return false;
        if (!formal.isDependent && nameOf(own.element) != nameOf(formal.element)) return false;
    }
    return true;
}

}  // namespace

const Result* Results::of(NodePtr function) {
    const auto [entry, isNew] = results_.try_emplace(function);
    if (!isNew) return entry->second.get();
    auto result = std::make_unique<Result>(analyse(function, *this));
    return (results_[function] = std::move(result)).get();
}

NodePtr Results::calledBody(NodePtr call) {
    const Symbol* symbol = calledName(bare(call->child(ast::Call::callee)))->symbol;
    if (const NodePtr lambda = lambdaOf(symbol)) return lambda;
    if (!symbol || symbol->kind != SymbolKind::Function) return nullptr;
    NodePtr found = nullptr;
    for (const Symbol* each = symbol; each; each = each->previous) {
        if (!each->type || each->type->kind != TypeKind::Function) return nullptr;
        if (!mayMean(call, *each->type)) continue;
        const NodePtr definition = functions_.definition(*each);
        if (!definition || (found && found != definition)) return nullptr;
        found = definition;
    }
    return found && !functions_.mayVary(*symbol) ? found : nullptr;
}

namespace {

// The parameter of a declaration (InitDeclarator, FunctionDefinition) that has that name.
std::optional<std::size_t> parameterNumber(NodePtr declaration, std::string_view name) {
    const NodePtr declarator =
        declaration->is<ast::InitDeclarator>() || declaration->is<ast::FunctionDefinition>()
            ? declaration->child(declaration->is<ast::InitDeclarator>()
                                     ? +ast::InitDeclarator::declarator
                                     : +ast::FunctionDefinition::declarator)
            : nullptr;
    const NodePtr function = ast::functionDeclarator(declarator);
    if (!function) return std::nullopt;
    const auto parameters = function->child(ast::FunctionDeclarator::parameters)->children();
    for (std::size_t k = 0; k < parameters.size(); ++k)
        if (parameters[k]->symbol && parameters[k]->symbol->name == name) return k;
    return std::nullopt;
}

}  // namespace

std::vector<NodePtr> Results::declaredRefreshed(NodePtr call) const {
    std::vector<NodePtr> refreshed;
    const Symbol* symbol = calledName(bare(call->child(ast::Call::callee)))->symbol;
    for (const Symbol* each = symbol; each; each = each->previous) {
        if (each->kind != SymbolKind::Function || !each->declaration || !each->type) break;
        if (!mayMean(call, *each->type)) continue;
        const NodePtr attribute = functions_.attribute(*each, "refreshes");
        const NodePtr names =
            attribute ? attribute->child(ast::HpspmdAttribute::arguments) : nullptr;
        if (!names) return {};  // some overload does not say so
        for (NodePtr name : names->children())
            if (const auto k = parameterNumber(each->declaration, name->text()))
                refreshed.push_back(
                    call->child(ast::Call::arguments)->child(static_cast<uint32_t>(*k)));
    }
    return refreshed;
}

// ---- arguments ---------------------------------------------------------------------------------

namespace {

NodePtr formalOf(NodePtr body, std::size_t k) {
    const NodePtr parameters = ast::parametersOf(body);
    const bool isThere = parameters && k < parameters->children().size();
    return isThere ? parameters->child(static_cast<uint32_t>(k)) : nullptr;
}

}  // namespace

const Type* formalType(NodePtr body, std::size_t k) {
    const NodePtr formal = formalOf(body, k);
    if (!formal) return unknownType();
    if (!formal->symbol) return formal->type ? formal->type : voidType();
    return formal->symbol->type ? formal->symbol->type : unknownType();
}

bool isMadeFrom(const Type& formal, NodePtr argument) {
    return !formal.isReference || typeOf(argument)->kind != TypeKind::Class;
}

NodePtr defaultValue(NodePtr body, std::size_t k) {
    const NodePtr formal = formalOf(body, k);
    return ast::is<ast::Parameter>(formal) ? formal->child(ast::Parameter::defaultValue) : nullptr;
}

Actual actualOf(const Symbol* root, NodePtr call, NodePtr body) {
    const NodePtr parameters = ast::parametersOf(body);
    if (parameters) {
        const auto formals = parameters->children();
        for (std::size_t k = 0; k < formals.size(); ++k)
            if (formals[k]->symbol == root)
                return {call->child(ast::Call::arguments)->child(static_cast<uint32_t>(k))};
    }
    const NodePtr callee = bare(call->child(ast::Call::callee));
    const bool isMethod = root->kind == SymbolKind::Field && ast::is<ast::Member>(callee);
    if (isMethod) return {callee->child(ast::Member::base), false, true};
    const bool isPointed = root->kind == SymbolKind::Field && ast::is<ast::PointerMember>(callee) &&
                           callee->child(ast::PointerMember::base)->text() != "this";
    return {nullptr, !isPointed, false};
}

}  // namespace hpcc::check::halo
