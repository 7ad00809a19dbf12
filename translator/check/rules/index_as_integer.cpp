// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 2: a distributed index is not an integer, whatever it meets: operators, conditions, casts,
// initializers, arguments, results.
#include "analysis/reader.hpp"
#include "ast/effects.hpp"
#include "check/callee.hpp"
#include "check/facts.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
using analysis::castOperand;

namespace {

std::string useIn(std::string_view op) {
    if (isOneOf(op, {"==", "!=", "<", ">", "<=", ">=", "<=>"})) return "compared";
    if (isOneOf(op, {"&&", "||", "and", "or", "!", "not"})) return "used as a condition";
    return "used in arithmetic";
}

// i + e, i - e: the shift e.
void checkShift(const Context& context, NodePtr index, NodePtr shift) {
    if (rejectIndex(context, shift, "used as a shift")) return;
    const Type* type = typeOf(shift);
    if (isUnknown(type) || isInteger(type) || type->kind == TypeKind::Class) return;
    const Symbol* symbol = namedIndex(index);
    context.report(Id::ShiftNotInteger, shift, symbol ? symbol->name : textOf(index), textOf(shift),
                   describe(type));
}

// 1 + i.
void shiftFromTheLeft(const Context& context, NodePtr node) {
    const NodePtr index = node->child(ast::Binary::right);
    const std::string shifted = textOf(index) + " + " + textOf(node->child(ast::Binary::left));
    context.report(Id::IndexAsInteger, index, textOf(index), "the right operand of '+'")
        .help("a shifted index is written " + shifted)
        .fixit(node->span(), shifted);
}

// Whether the place stands in arithmetic that is a subscript of a distributed array: w[2 * i].
bool isComputedSubscript(const Context& context) {
    for (auto around = context.path.rbegin(); around != context.path.rend(); ++around) {
        if ((*around)->is<ast::Subscript>()) {
            const Type* array = typeOf(bare((*around)->child(ast::Subscript::base)));
            return array->kind == TypeKind::Multiarray &&
                   std::ranges::find(array->slots, SlotKind::Distributed) != array->slots.end();
        }
        const bool isArithmetic = (*around)->is<ast::Binary>() || (*around)->is<ast::Unary>() ||
                                  (*around)->is<ast::Parenthesized>() ||
                                  (*around)->is<ast::Subscripts>();
        if (!isArithmetic) return false;
    }
    return false;
}

}  // namespace

void indexInOperator(const Context& context, NodePtr node) {
    const std::string_view op = node->child(ast::Binary::op)->text();
    const NodePtr left = node->child(ast::Binary::left);
    const NodePtr right = node->child(ast::Binary::right);
    const Type* leftType = typeOf(left);
    if (!isIndex(leftType) && !isIndex(typeOf(right))) return;
    if (isIndex(leftType) && (op == "+" || op == "-")) return checkShift(context, left, right);
    const bool restricts = op == "/" && !isNumber(leftType) && !isIndex(leftType);
    if (restricts) return;
    if (op == "<<" && leftType == streamType()) {
        rejectIndex(context, right, "printed");
        return;
    }
    const Type* other = isIndex(leftType) ? typeOf(right) : leftType;
    const bool isForeign = isUnknown(other) || other->kind == TypeKind::Class;
    if (isForeign && !isOneOf(op, {"&&", "||", "and", "or"})) return;
    if (op == "+" && isInteger(leftType)) return shiftFromTheLeft(context, node);
    const NodePtr index = isIndex(leftType) ? left : right;
    if (!isComputedSubscript(context)) {
        rejectIndex(context, index, useIn(op));
        return;
    }
    context.report(Id::IndexAsInteger, index, textOf(index), useIn(op)).help(adviceToMove);
}

void indexInUnary(const Context& context, NodePtr node) {
    const std::string_view op = node->child(ast::Unary::op)->text();
    if (isOneOf(op, {"-", "+", "~", "!", "not"}))
        rejectIndex(context, node->child(ast::Unary::operand), useIn(op));
    if (op == "++" || op == "--") indexInPostfix(context, node);
}

// Also ++i and --i.
void indexInPostfix(const Context& context, NodePtr node) {
    const NodePtr operand = ast::changedOperand(node);
    if (!isIndex(typeOf(operand))) return;
    context.report(Id::IndexModified, node, textOf(operand))
        .help("a shifted index, " + textOf(operand) + " + 1, names the neighbouring element");
}

void indexInAssignment(const Context& context, NodePtr node) {
    const NodePtr target = node->child(ast::Assign::target);
    const NodePtr value = node->child(ast::Assign::value);
    if (isKind(target, TypeKind::Index)) {
        const Symbol* index = namedIndex(target);
        if (!index) return;  // a variable of type DistributedIndex
        context.report(Id::IndexModified, node, index->name)
            .help("bind another index with 'at' or 'overall'");
        return;
    }
    if (isIndex(typeOf(value)) && isNumber(typeOf(target)))
        rejectIndex(context, value, "assigned to '" + textOf(target) + "'");
}

void indexInInitializer(const Context& context, NodePtr node) {
    const Type* type = node->type ? node->type : unknownType();
    const NodePtr value = singleInitializer(node->child(ast::InitDeclarator::initializer));
    if (value && isIndex(typeOf(value)) && isNumber(type) && node->symbol)
        rejectIndex(context, value, "the value of '" + node->symbol->name + "'");
}

void indexInCondition(const Context& context, NodePtr node) {
    constexpr std::pair<ast::Kind, uint32_t> slots[] = {
        {ast::Kind::If, ast::If::condition},
        {ast::Kind::While, ast::While::condition},
        {ast::Kind::DoWhile, ast::DoWhile::condition},
        {ast::Kind::For, ast::For::condition},
        {ast::Kind::Switch, ast::Switch::condition},
        {ast::Kind::Conditional, ast::Conditional::condition}};
    for (const auto& [kind, slot] : slots)
        if (node->kind() == kind) rejectIndex(context, node->child(slot), "used as a condition");
}

void indexInCast(const Context& context, NodePtr node) {
    if (!isNumber(typeOf(node))) return;
    const NodePtr operand = castOperand(node);
    if (operand && isIndex(typeOf(operand)))
        rejectIndex(context, operand, "converted to '" + nameOf(typeOf(node)) + "'");
}

void indexInCall(const Context& context, NodePtr node) {
    const auto arguments = node->child(ast::Call::arguments)->children();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (!isIndex(typeOf(arguments[k]))) continue;
        if (takesNumber(node, k))
            rejectIndex(context, arguments[k],
                        "argument " + std::to_string(k + 1) + " of '" + calleeName(node) + "'");
        else if (printsArguments(node))
            rejectIndex(context, arguments[k], "printed");
    }
}

void indexInReturn(const Context& context, NodePtr node) {
    const NodePtr value = node->child(ast::Return::value);
    if (!value || !isIndex(typeOf(value))) return;
    const Type* result = resultAround(context.path);
    if (result && isNumber(result)) rejectIndex(context, value, "the result of this function");
}

}  // namespace hpcc::check
