// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function a call runs.
#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

namespace {

bool isConversion(NodePtr callee) {
    return callee->symbol &&
           (callee->symbol->kind == ast::SymbolKind::Class ||
            callee->symbol->kind == ast::SymbolKind::Alias) &&
           isPlainValue(callee->symbol->type);
}

/// `z.real()` of a complex number.
bool isPartOfComplex(NodePtr callee) {
    if (!ast::is<ast::Member>(callee)) return false;
    const std::string_view name = callee->child(ast::Member::name)->text();
    const ast::Type* type = callee->child(ast::Member::base)->type;
    return (name == "real" || name == "imag") && type && type->classSymbol &&
           type->classSymbol->shape == ast::StandardShape::Opaque;
}

}  // namespace

bool computesByName(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    return ast::isMathematical(callee) || isConversion(callee) || isPartOfComplex(callee) ||
           ast::isPure(call);
}

NodePtr lambdaOf(const ast::Symbol* variable) {
    if (!variable || variable->kind != ast::SymbolKind::Variable || variable->isReassigned ||
        ast::isObject(variable->type) || !ast::is<ast::EqualInitializer>(variable->initializer))
        return nullptr;
    const NodePtr value = variable->initializer->child(ast::EqualInitializer::value);
    return ast::is<ast::Lambda>(value) ? value : nullptr;
}

namespace {

NodePtr namedDefinition(NodePtr callee) {
    const ast::Symbol* function = callee->symbol;
    const ast::Symbol* called = callee->type ? callee->type->called : nullptr;
    if (const NodePtr lambda = lambdaOf(function)) return called ? called->declaration : lambda;
    if (called && (function->kind == ast::SymbolKind::Function || calledObject(callee)))
        return called->declaration;
    const bool isOne =
        function && function->kind == ast::SymbolKind::Function && !function->previous;
    return isOne && ast::is<ast::FunctionDefinition>(function->declaration) ? function->declaration
                                                                            : nullptr;
}

}  // namespace

bool mayVary(NodePtr definition) {
    return definition && definition->symbol &&
           (definition->symbol->mayVary ||
            (definition->symbol->generic && definition->symbol->generic->mayVary));
}

NodePtr definitionOf(NodePtr callee) {
    const NodePtr named = namedDefinition(callee);
    return mayVary(named) ? nullptr : named;
}

std::vector<const ast::Symbol*> choicesOf(NodePtr callee) {
    const ast::Symbol* const called = callee->type ? callee->type->called : nullptr;
    std::vector<const ast::Symbol*> all;
    if (called && !called->declaration)
        for (const ast::Symbol* each = called->previous; each; each = each->previous)
            all.push_back(each);
    return all;
}

const ast::Type* calledObject(NodePtr callee) {
    const ast::Symbol* const object = callee->symbol;
    const bool isObject = ast::is<ast::Identifier>(callee) && callee->type &&
                          callee->type->called && object && object->type &&
                          object->type->kind == ast::TypeKind::Class;
    return isObject ? object->type : nullptr;
}

const ast::Type* calledType(NodePtr callee) {
    if (callee->type && callee->type->called) return callee->type;
    return callee->symbol ? callee->symbol->type : nullptr;
}

bool isForeignFunction(NodePtr callee) {
    if (!ast::isSimple(callee) || ast::isLibraryName(callee)) return false;
    const ast::Symbol* symbol = callee->symbol;
    if (!symbol) return true;
    const bool isMadeHere = symbol->declaration;
    return isMadeHere && (symbol->kind == ast::SymbolKind::Function ||
                          symbol->kind == ast::SymbolKind::Variable ||
                          symbol->kind == ast::SymbolKind::Parameter);
}

}  // namespace hpcc::analysis
