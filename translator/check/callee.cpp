// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/callee.hpp"

#include "ast/known_calls.hpp"
#include "check/facts.hpp"
#include "check/library.hpp"

#include <algorithm>

namespace hpcc::check {

using ast::SymbolKind;

NodePtr calledName(NodePtr callee) {
    if (ast::is<ast::Member>(callee)) return callee->child(ast::Member::name);
    if (ast::is<ast::PointerMember>(callee)) return callee->child(ast::PointerMember::name);
    return callee;
}

namespace {

// Every overload, or none if one of them is not understood.
std::vector<const Type*> overloadTypes(const Symbol& function) {
    std::vector<const Type*> types;
    for (const Symbol* each = &function; each; each = each->previous) {
        if (!each->type || each->type->kind != TypeKind::Function) return {};
        types.push_back(each->type);
    }
    return types;
}

}  // namespace

std::vector<const Type*> constructors(const Type* classType) {
    const Symbol* symbol = classType->kind == TypeKind::Class ? classType->classSymbol : nullptr;
    if (!symbol || !symbol->members || !symbol->declaration) return {};
    const bool mayInherit = !symbol->members->included().empty() || symbol->members->isOpen();
    if (mayInherit) return {};  // using Base::Base
    const Symbol* constructor = symbol->members->findHere("(constructor)");
    return constructor ? overloadTypes(*constructor) : std::vector<const Type*>{};
}

std::vector<const Type*> candidates(NodePtr call) {
    const NodePtr callee = bare(call->child(ast::Call::callee));
    const Symbol* symbol = calledName(callee)->symbol;
    if (symbol && symbol->kind == SymbolKind::Class) return constructors(typeOf(call));
    if (symbol && symbol->kind == SymbolKind::Function) return overloadTypes(*symbol);
    const Type* type = typeOf(callee);
    if (type->kind == TypeKind::Function) return {type};
    const bool isCallable =
        type->classSymbol && type->classSymbol->shape == ast::StandardShape::Callable;
    const bool isKnown =
        isCallable && !type->arguments.empty() && type->arguments[0]->kind == TypeKind::Function;
    return isKnown ? std::vector{type->arguments[0]} : std::vector<const Type*>{};
}

bool acceptsCount(const Type& function, std::size_t count) {
    return count >= function.requiredParameters &&
           (function.isVariadic || count <= function.parameters.size());
}

bool takesNumber(NodePtr call, std::size_t k) {
    const NodePtr callee = call->child(ast::Call::callee);
    const Symbol* symbol = calledName(callee)->symbol;
    if (ast::isMathematical(calledName(callee))) return true;
    if (isNumber(typeOf(call)) && symbol && symbol->kind != SymbolKind::Function &&
        symbol->kind != SymbolKind::Variable && symbol->kind != SymbolKind::Parameter &&
        symbol->kind != SymbolKind::Field)
        return true;                     // an alias of a number's type: Real(i)
    if (ast::is<ast::Member>(callee)) {  // x.location(i), a.size(i): the runtime's take integers
        const Type* base = typeOf(callee->child(ast::Member::base));
        if (memberResult(base->kind, calledName(callee)->text()))
            return calledName(callee)->text() != "contains";
    }
    const std::size_t count = call->child(ast::Call::arguments)->children().size();
    bool isEvery = false;
    for (const Type* type : candidates(call)) {
        if (!acceptsCount(*type, count)) continue;
        if (k >= type->parameters.size() || !isNumber(type->parameters[k])) return false;
        isEvery = true;
    }
    return isEvery;
}

std::string adlibCallee(NodePtr call) {
    const Symbol* symbol = calledName(call->child(ast::Call::callee))->symbol;
    const bool isAdlib = symbol && symbol->kind == SymbolKind::Function && isOfAdlib(*symbol);
    return isAdlib ? symbol->name : "";
}

bool printsArguments(NodePtr call) {
    NodePtr name = calledName(bare(call->child(ast::Call::callee)));
    const Symbol* symbol = name->symbol;
    if (ast::is<ast::QualifiedName>(name)) name = name->child(ast::QualifiedName::name);
    return !(symbol && symbol->declaration) &&
           isOneOf(name->text(),
                   {"gprint", "gprintln", "printf", "fprintf", "sprintf", "snprintf"});
}

std::string calleeName(NodePtr call) {
    const NodePtr name = calledName(bare(call->child(ast::Call::callee)));
    return name->text().size() <= 40 ? std::string(name->text()) : "this function";
}

namespace {

NodePtr innermostFunction(const std::vector<NodePtr>& path) {
    const auto found = std::find_if(path.rbegin(), path.rend(), [](NodePtr node) {
        return node->is<ast::FunctionDefinition>() || node->is<ast::Lambda>();
    });
    return found == path.rend() ? nullptr : *found;
}

bool hasTrailingReturn(NodePtr lambda) {
    const NodePtr qualifiers = lambda->child(ast::Lambda::qualifiers);
    return qualifiers && std::ranges::any_of(qualifiers->children(), [](NodePtr each) {
               return ast::is<ast::TrailingReturn>(each);
           });
}

}  // namespace

const Type* resultAround(const std::vector<NodePtr>& path) {
    const NodePtr function = innermostFunction(path);
    if (!function || (function->is<ast::Lambda>() && !hasTrailingReturn(function))) return nullptr;
    return function->type ? function->type->result : nullptr;
}

std::string functionAround(const std::vector<NodePtr>& path) {
    const NodePtr function = innermostFunction(path);
    return function && function->symbol ? function->symbol->name : "lambda";
}

}  // namespace hpcc::check
