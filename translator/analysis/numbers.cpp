// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/numbers.hpp"

#include <algorithm>

#include "analysis/operators.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {
namespace {

using ast::NodePtr;

NodePtr coreOf(NodePtr type) {
    if (ast::is<ast::TypeName>(type)) type = type->child(ast::TypeName::specifiers);
    return ast::is<ast::Specifiers>(type) ? type->child(ast::Specifiers::core) : type;
}

bool isParameter(const ast::Symbol* symbol) {
    return symbol && symbol->kind == ast::SymbolKind::TemplateParameter;
}

}  // namespace

bool isInteger(NodePtr e) {
    e = ast::withoutParentheses(e);
    return ast::asConstant(e) || (e->type && e->type->kind == ast::TypeKind::Integer);
}

bool isFraction(NodePtr e, bool unknown) {
    e = ast::withoutParentheses(e);
    const auto isOne = [&](NodePtr part) { return isFraction(part, unknown); };
    if (e->type && ast::isNumber(e->type)) return e->type->kind == ast::TypeKind::Floating;
    const bool isTruth =
        isComparison(e) || isNegation(e) || (ast::is<ast::Binary>(e) && ast::isShortCircuit(e));
    if (isTruth || isInteger(e)) return false;
    if (ast::is<ast::NumberLiteral>(e)) return true;  // asConstant knows integers
    if (ast::is<ast::Conditional>(e) && e->child(ast::Conditional::then))
        return isOne(e->child(ast::Conditional::then)) ||
               isOne(e->child(ast::Conditional::otherwise));
    if (ast::is<ast::Binary>(e))
        return isOne(e->child(ast::Binary::left)) || isOne(e->child(ast::Binary::right));
    return ast::is<ast::Unary>(e) ? isOne(e->child(ast::Unary::operand)) : unknown;
}

bool declaresNumber(NodePtr specifiers, NodePtr name) {
    const NodePtr core = specifiers->child(ast::Specifiers::core);
    if (ast::is<ast::BuiltinType>(core)) return true;
    const ast::Type* type = name->symbol ? name->symbol->type : nullptr;
    if (isHandleType(type)) return false;
    if (ast::is<ast::AutoType>(core)) return true;
    if (isParameter(core->symbol)) return true;
    return isNumber(type);
}

bool givesNumber(NodePtr cast) {
    if (isNumber(cast->type)) return true;
    const ast::Type* const type = cast->type;
    if (type && isParameter(type->classSymbol) && !type->element) return true;
    if (!cast->is<ast::FunctionalCast>()) return false;
    const NodePtr core = coreOf(cast->child(ast::FunctionalCast::type));
    return ast::is<ast::BuiltinType>(core);
}

bool convertsToParameter(NodePtr call) {
    const NodePtr callee = call->child(ast::Call::callee);
    const NodePtr arguments = call->child(ast::Call::arguments);
    return ast::is<ast::Identifier>(callee) && isParameter(callee->symbol) &&
           callee->symbol->type && !callee->symbol->type->element &&
           ast::is<ast::Arguments>(arguments) && arguments->children().size() <= 1;
}

bool declaresPlainNumbers(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement) || statement->contains(ast::extension | ast::call))
        return false;
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    const NodePtr declarators = statement->child(ast::Declaration::declarators);
    if (!ast::is<ast::Specifiers>(specifiers) || !declarators) return false;
    return std::ranges::all_of(declarators->children(), [&](NodePtr each) {
        const NodePtr name = each->child(ast::InitDeclarator::declarator);
        const NodePtr value = each->child(ast::InitDeclarator::initializer);
        return ast::is<ast::Identifier>(name) && declaresNumber(specifiers, name) &&
               (!value || ast::is<ast::EqualInitializer>(value));
    });
}

}  // namespace hpcc::analysis
