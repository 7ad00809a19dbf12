// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/compile_time.hpp"

#include <algorithm>
#include <span>

#include "analysis/constant.hpp"
#include "ast/purity.hpp"
#include "ast/specifiers.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {
namespace {

bool areOfCompileTime(std::span<const NodePtr> all) {
    return std::ranges::all_of(all, isOfCompileTime);
}

bool isConstant(const Symbol* symbol) {
    if (!symbol) return false;
    if (symbol->kind == ast::SymbolKind::TemplateParameter ||
        symbol->kind == ast::SymbolKind::Enumerator)
        return true;
    const ast::Type* type = symbol->type;
    return symbol->kind != ast::SymbolKind::Parameter && type && type->isConst &&
           !type->isReference &&
           (type->kind == ast::TypeKind::Integer || type->kind == ast::TypeKind::Unknown) &&
           isOfCompileTime(singleInitializer(symbol->initializer));
}

bool isConstexpr(const Symbol* function) {
    const NodePtr definition = function ? function->declaration : nullptr;
    return ast::is<ast::FunctionDefinition>(definition) &&
           ast::isSpecifiedAs(definition->child(ast::FunctionDefinition::specifiers), "constexpr");
}

}  // namespace

bool isOfCompileTime(NodePtr e) {
    const Descent descent;
    e = bare(e);
    if (!e || descent.isTooDeep()) return false;
    if (constantValue(e)) return true;
    if (const NodePtr operand = ast::convertedToNumber(e)) return isOfCompileTime(operand);
    switch (e->kind()) {
    case ast::Kind::Identifier:
        return isConstant(e->symbol);
    case ast::Kind::QualifiedName:
        return !e->symbol || isConstant(e->symbol);
    case ast::Kind::Sizeof:
        return true;
    case ast::Kind::Unary:
        return ast::isPure(e) && isOfCompileTime(e->child(ast::Unary::operand));
    case ast::Kind::Binary:
        return ast::isPure(e) && isOfCompileTime(e->child(ast::Binary::left)) &&
               isOfCompileTime(e->child(ast::Binary::right));
    case ast::Kind::Conditional:
        return ast::isPure(e) && areOfCompileTime(e->children());
    case ast::Kind::Call:
        return isConstexpr(e->child(ast::Call::callee)->symbol) &&
               areOfCompileTime(e->child(ast::Call::arguments)->children());
    default:
        return false;
    }
}

}  // namespace hpcc::analysis
