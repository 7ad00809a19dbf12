// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::swap of elements becomes three assignments.
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

// a[i], s.a[i + 1][j] of numbers
bool isElement(NodePtr node) {
    const bool isKnown = isNumber(node->type) && !node->type->isDependent;
    if (!ast::is<ast::Subscript>(node) || !isKnown) return false;
    const ast::Type* const array = bare(node->child(ast::Subscript::base))->type;
    if (!hasOwnElements(array) && !(array && array->kind == ast::TypeKind::Multiarray))
        return false;
    for (; ast::is<ast::Subscript>(node); node = bare(node->child(ast::Subscript::base)))
        if (!isFixedPlace(node->child(ast::Subscript::subscripts))) return false;
    return ast::is<ast::Identifier>(node) || isPartOfObject(node);
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
        if (!ast::is<ast::Call>(call) || call->child(ast::Call::callee)->text() != "std::swap")
            return;
        const auto arguments = call->child(ast::Call::arguments)->children();
        if (arguments.size() != 2 || !isElement(bare(arguments[0])) ||
            !isElement(bare(arguments[1])))
            return;
        const std::string a(arguments[0]->text()), b(arguments[1]->text()),
            name = freshName("swapped", unit_);
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
