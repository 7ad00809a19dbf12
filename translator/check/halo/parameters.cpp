// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/parameters.hpp"

#include "ast/declarators.hpp"
#include "ast/symbol.hpp"
#include "check/facts.hpp"

namespace hpcc::check::halo {
namespace {

using ast::SymbolKind;

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
