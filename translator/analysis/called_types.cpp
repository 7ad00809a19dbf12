// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/called_types.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {

bool isOfAnother(ast::NodePtr callee) {
    if (ast::is<ast::PointerMember>(callee))
        return callee->child(ast::PointerMember::base)->text() != "this";
    return !ast::is<ast::Identifier>(callee);
}

bool isChangedByOperator(ast::NodePtr parameters, ast::NodePtr operation) {
    const auto all = parameters->children();
    const size_t operands = ast::is<ast::Unary>(operation) ? 1 : 2;
    const ast::Symbol* first = all.size() == operands ? all[0]->symbol : nullptr;
    return first && first->type && first->type->isReference && !first->type->isConst;
}

bool isOfNumbers(ast::NodePtr object) {
    return object && isOfNumbers(ast::withoutParentheses(object)->type);
}
bool isOfNumbers(const ast::Type* type) {
    return type && !type->arguments.empty() && std::ranges::all_of(type->arguments, ast::isNumber);
}

bool isOfObjectOfNumbers(ast::NodePtr callee) {
    return ast::is<ast::Member>(callee) ? isOfNumbers(callee->child(ast::Member::base))
                                        : isOfNumbers(calledObject(callee));
}

const ast::Symbol* parameterOf(ast::NodePtr definition, size_t number) {
    const ast::NodePtr all = ast::parametersOf(definition);
    return all && number < all->children().size() ? all->child(number)->symbol : nullptr;
}

bool pointsToNumbers(const ast::Type* type) {
    return type && type->kind == ast::TypeKind::Pointer && !type->isReference && type->element &&
           type->element->isConst && ast::isNumber(type->element);
}

bool namesConstants(ast::NodePtr name) {
    const ast::Type* const type = name->symbol ? name->symbol->type : nullptr;
    return type && type->kind != ast::TypeKind::Pointer &&
           name->symbol->kind != ast::SymbolKind::Parameter &&
           (type->isConst || (type->element && type->element->isConst)) && !type->isReference;
}

bool isTemplateRound(const ast::Symbol& parameter, ast::NodePtr place) {
    return parameter.head && parameter.head->origin()->span().contains(place->origin()->span());
}

bool namesTemplate(ast::NodePtr callee) {
    if (ast::is<ast::QualifiedName>(callee)) callee = callee->child(ast::QualifiedName::name);
    return ast::is<ast::TemplateName>(callee);
}

}  // namespace hpcc::analysis
