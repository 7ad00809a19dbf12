// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/operators.hpp"

namespace hpcc::analysis {

using ast::TypeKind;

std::string_view operatorOf(NodePtr node) {
    if (ast::is<ast::Binary>(node)) return node->child(ast::Binary::op)->text();
    return ast::is<ast::Unary>(node) ? node->child(ast::Unary::op)->text() : "";
}

bool isNegation(NodePtr node) {
    return ast::is<ast::Unary>(node) && (operatorOf(node) == "!" || operatorOf(node) == "not");
}

bool isComparison(NodePtr node) {
    if (!ast::is<ast::Binary>(node)) return false;
    const std::string_view op = operatorOf(node);
    return op == "==" || op == "!=" || op == "not_eq" || op == "<" || op == "<=" || op == ">" ||
           op == ">=";
}

std::string_view opposite(std::string_view comparison) {
    if (comparison == "==") return "!=";
    if (comparison == "!=" || comparison == "not_eq") return "==";
    if (comparison == "<") return ">=";
    if (comparison == ">=") return "<";
    if (comparison == ">") return "<=";
    return comparison == "<=" ? ">" : "";
}

std::string_view mirrored(std::string_view op) {
    if (op == "<") return ">";
    if (op == "<=") return ">=";
    if (op == ">") return "<";
    return op == ">=" ? "<=" : op;
}

bool holdsAllOf(NumberType to, NumberType from) {
    if (to.isSigned == from.isSigned) return from.bits <= to.bits;
    return to.isSigned && from.bits < to.bits;
}

NumberType numberOf(const ast::Type* type) {
    return type && type->kind == TypeKind::Integer ? type->number : NumberType();
}

NumberType numberOf(NodePtr node) { return numberOf(bare(node)->type); }

bool isUnsigned(NumberType type) { return type.bits >= 32 && !type.isSigned; }

NodePtr castOperand(NodePtr cast) {
    const NodePtr last = cast->children().back();
    if (!cast->is<ast::FunctionalCast>()) return last;
    return last->children().size() == 1 ? last->child(0) : nullptr;
}

}  // namespace hpcc::analysis
