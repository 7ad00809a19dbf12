// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/own_parts.hpp"

#include <algorithm>

#include "analysis/plain_values.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {
namespace {

using ast::NodePtr;

bool isOwnPart(NodePtr value) {
    value = value ? ast::withoutParentheses(value) : nullptr;
    if (ast::is<ast::Conditional>(value))
        return isOwnPart(value->child(ast::Conditional::then)) &&
               isOwnPart(value->child(ast::Conditional::otherwise));
    while (isPartOfObject(value)) value = ast::withoutParentheses(value->child(0));
    if (ast::is<ast::PointerMember>(value))
        return value->child(ast::PointerMember::base)->text() == "this";
    return ast::is<ast::Identifier>(value) && value->symbol &&
           value->symbol->kind == ast::SymbolKind::Field;
}

}  // namespace

bool isObjectItself(NodePtr e) {
    return ast::is<ast::Unary>(e) && e->child(ast::Unary::op)->text() == "*" &&
           e->child(ast::Unary::operand)->text() == "this";
}

bool isPartOfObject(NodePtr e) {
    if (ast::is<ast::Member>(e)) return true;
    const ast::Type* base =
        ast::is<ast::Subscript>(e) ? e->child(ast::Subscript::base)->type : nullptr;
    return base && (base->kind == ast::TypeKind::CArray || ast::isStandardArray(base));
}

bool returnsOwnPart(NodePtr node) {
    if (ast::is<ast::Return>(node)) return isOwnPart(node->child(ast::Return::value));
    return std::ranges::all_of(node->children(), [](NodePtr child) {
        return !child || ast::isExpression(child) || returnsOwnPart(child);
    });
}

bool isPlainObject(const ast::Type* type) {
    ast::Type object = *type;
    object.isReference = false;
    return isPlainValue(&object);
}

bool isPlainOperand(NodePtr operand) {
    if (!ast::isExpression(operand)) return true;
    operand = ast::withoutParentheses(operand);
    return !ast::isObject(operand->type) || isPlainObject(operand->type);
}

}  // namespace hpcc::analysis
