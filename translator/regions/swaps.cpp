// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::swap and std::iter_swap of elements and variables become three assignments.
#include <algorithm>

#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "regions/arrays.hpp"
#include "regions/edits.hpp"
#include "regions/members.hpp"
#include "regions/numbers.hpp"
#include "regions/places.hpp"
#include "regions/regions.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

// It is the same place whatever elements change: numbers and names of numbers.
bool isFixedPlace(NodePtr subscript) {
    if (ast::isAny<ast::NumberLiteral, ast::Operator>(subscript)) return true;
    if (ast::is<ast::Identifier>(subscript))
        return subscript->symbol && ast::isInteger(subscript->symbol->type) &&
               !subscript->symbol->type->isReference && !subscript->symbol->type->isDependent;
    return ast::isAny<ast::Binary, ast::Parenthesized, ast::Subscripts>(subscript) &&
           std::ranges::all_of(subscript->children(),
                               [](NodePtr each) { return each && isFixedPlace(each); });
}

// a[i], s.a[i + 1][j] of numbers, or a number's name
bool isElement(NodePtr node) {
    if (!isNumber(node->type) || node->type->isDependent) return false;
    if (ast::is<ast::Identifier>(node)) return node->symbol && !node->symbol->type->isReference;
    if (!ast::is<ast::Subscript>(node)) return false;
    const ast::Type* const array = bare(node->child(ast::Subscript::base))->type;
    if (!hasOwnElements(array) && !(array && array->kind == ast::TypeKind::Multiarray))
        return false;
    for (; ast::is<ast::Subscript>(node); node = bare(node->child(ast::Subscript::base)))
        if (!isFixedPlace(node->child(ast::Subscript::subscripts))) return false;
    return ast::is<ast::Identifier>(node) || isPartOfObject(node);
}

// a of a.begin() and std::begin(a), whose elements are numbers; null for others.
NodePtr begunArray(NodePtr call) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = bare(call->child(ast::Call::callee));
    const auto arguments = call->child(ast::Call::arguments)->children();
    NodePtr array = nullptr;
    if (callee->text() == "std::begin" && arguments.size() == 1)
        array = bare(arguments[0]);
    else if (ast::is<ast::Member>(callee) && arguments.empty() &&
             callee->child(ast::Member::name)->text() == "begin")
        array = bare(callee->child(ast::Member::base));
    if (!array || !(ast::is<ast::Identifier>(array) || isPartOfObject(array))) return nullptr;
    const ast::Type* const type = array->type;
    if (!isContiguous(type) || !hasOwnElements(type) || !isNumber(type->arguments.front()))
        return nullptr;
    return type->arguments.front()->isDependent ? nullptr : array;
}

// The element to which an iterator or pointer leads: `a[i]` for a.begin() + i and &a[i]; empty for
// others.
std::string elementAt(NodePtr iterator) {
    if (ast::is<ast::Unary>(iterator) && iterator->child(ast::Unary::op)->text() == "&") {
        const NodePtr element = bare(iterator->child(ast::Unary::operand));
        return isElement(element) ? std::string(element->text()) : "";
    }
    if (const NodePtr array = begunArray(iterator)) return std::string(array->text()) + "[0]";
    if (!ast::is<ast::Binary>(iterator) || iterator->child(ast::Binary::op)->text() != "+")
        return "";
    const NodePtr array = begunArray(bare(iterator->child(ast::Binary::left))),
                  place = iterator->child(ast::Binary::right);
    if (!array || !isFixedPlace(bare(place))) return "";
    return std::string(array->text()) + "[" + std::string(place->text()) + "]";
}

class Swaps {
public:
    explicit Swaps(const ast::Unit& unit) : unit_(unit) {}

    Edits edits;

    void visit(NodePtr node) {
        if (!node) return;
        const bool was = isDivided_;
        if (node->is<ast::FunctionDefinition>())
            isDivided_ = !dividedParameters(ast::parametersOf(node)).empty();
        if (node->is<ast::Lambda>()) isDivided_ = false;
        isDivided_ |= node->is<ast::Attributed>() && attributeOf(node, "overall") &&
                      attributedNode(node)->is<ast::For>();
        if (isDivided_ && node->is<ast::ExpressionStatement>()) write(node);
        for (const NodePtr child : node->children()) visit(child);
        isDivided_ = was;
    }

private:
    void write(NodePtr statement) {
        const NodePtr call = bare(statement->child(ast::ExpressionStatement::expression));
        if (!ast::is<ast::Call>(call)) return;
        const std::string_view callee = call->child(ast::Call::callee)->text();
        const auto arguments = call->child(ast::Call::arguments)->children();
        if (arguments.size() != 2 || (callee != "std::swap" && callee != "std::iter_swap")) return;
        const auto elementOf = [&](NodePtr argument) {
            if (callee == "std::iter_swap") return elementAt(bare(argument));
            return isElement(bare(argument)) ? std::string(argument->text()) : "";
        };
        const std::string a = elementOf(arguments[0]), b = elementOf(arguments[1]),
                          name = freshName("swapped", unit_);
        if (a.empty() || b.empty()) return;
        edits.replace(statement->span(), "{ const auto " + name + " = " + a + "; " + a + " = " + b +
                                             "; " + b + " = " + name + "; }");
    }

    const ast::Unit& unit_;
    bool isDivided_ = false;
};

}  // namespace

std::optional<std::string> withoutSwaps(const ast::Unit& unit) {
    Swaps swaps(unit);
    swaps.visit(unit.root);
    if (swaps.edits.isEmpty()) return std::nullopt;
    return swaps.edits.appliedTo(*unit.text);
}

}  // namespace hpcc::regions
