// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/declared_writes.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/named_objects.hpp"
#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"

namespace hpcc::analysis {

using ast::SymbolKind;

namespace {

bool mayTake(const ast::Type& function, std::size_t count) {
    return count >= function.requiredParameters &&
           (function.isVariadic || count <= function.parameters.size());
}

bool isConstMethod(const Symbol& function) {
    const NodePtr declared = function.declaration;
    const NodePtr declarator = ast::is<ast::FunctionDefinition>(declared)
                                   ? declared->child(ast::FunctionDefinition::declarator)
                               : ast::is<ast::InitDeclarator>(declared)
                                   ? declared->child(ast::InitDeclarator::declarator)
                                   : nullptr;
    return ast::isQualifiedAs(declarator, "const");
}

}  // namespace

NodePtr lastName(NodePtr callee) {
    callee = bare(callee);
    while (ast::isAny<ast::QualifiedName, ast::Member, ast::PointerMember>(callee))
        callee = callee->children().back();
    return ast::is<ast::TemplateName>(callee) ? callee->child(ast::TemplateName::name) : callee;
}

bool namesType(NodePtr callee) {
    const Symbol* symbol = callee->symbol;
    return symbol && (symbol->kind == SymbolKind::Class || symbol->kind == SymbolKind::Alias ||
                      symbol->kind == SymbolKind::TemplateParameter);
}

bool isOfStandard(NodePtr callee) {
    const Symbol* symbol = callee->symbol;
    return callee->text().starts_with("std::") ||
           (symbol && !symbol->declaration && symbol->kind == SymbolKind::Function);
}

bool isOfProgram(const ast::Type* type) {
    return type && type->kind == ast::TypeKind::Class && type->classSymbol &&
           type->classSymbol->shape == ast::StandardShape::None &&
           !ast::is<ast::Enum>(type->classSymbol->declaration);
}

bool mayChangeThrough(NodePtr declarator, const ast::Type* type) {
    const bool isPointer =
        ast::anywhere(declarator, ast::isAny<ast::Pointer, ast::ArrayDeclarator>) ||
        (type && type->kind == ast::TypeKind::Pointer);
    if (isPointer) return !type || !type->element || !type->element->isConst;
    return (bindsReference(declarator) || (type && type->isReference)) && !(type && type->isConst);
}

bool areConstMethods(const Symbol* function) {
    for (; function; function = function->previous)
        if (!isConstMethod(*function)) return false;
    return true;
}

std::optional<Writing> declaredWriting(const Symbol* function, std::size_t k, std::size_t count) {
    Writing writing = Writing::Surely;  // of none
    for (const Symbol* each = function; each; each = each->previous) {
        if (!each->type || each->type->kind != ast::TypeKind::Function) return Writing::OutOfSight;
        if (!mayTake(*each->type, count)) continue;
        if (k >= each->type->parameters.size()) return Writing::OutOfSight;
        const ast::Type* type = each->type->parameters[k];
        if (type->kind == ast::TypeKind::Unknown && !type->isReference) return Writing::OutOfSight;
        if (mayChangeThrough(nullptr, type)) writing = Writing::Perhaps;
    }
    return writing == Writing::Perhaps ? std::optional(writing) : std::nullopt;
}

}  // namespace hpcc::analysis
