// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/scratch_row.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/subscripts.hpp"
#include "nests/container_elements.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/scratch.hpp"
#include "nests/wide_values.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `for (j ..) c[i, j] = row[j];` at the end of each iteration.
struct CopyOfRow {
    const Loop* loop = nullptr;
    NodePtr statement = nullptr;       // the assignment
    const Access* target = nullptr;    // c[i, j]
    const ast::Symbol* row = nullptr;  // the vector
    NodePtr index = nullptr;           // j
};

/// `row(n)` or `row(n, 0.5)` of a declaration of this vector only; null of others.
NodePtr declarationOf(NodePtr statement, const ast::Symbol* row) {
    if (!ast::is<ast::Declaration>(statement) || !declaresVectors(statement)) return nullptr;
    const auto declarators = ast::declaratorsOf(statement);
    const bool isOne = declarators.size() == 1 &&
                       declarators[0]->child(ast::InitDeclarator::declarator)->symbol == row;
    return isOne ? declarators[0] : nullptr;
}

class CopyAtEnd {
public:
    explicit CopyAtEnd(const Nest& nest) : nest_(nest), outer_(nest.loops.front()) {}

    bool isThere() {
        const NodePtr block = bodyOf(outer_);
        if (outer_.kind != Loop::Kind::Overall || !ast::is<ast::Compound>(block) ||
            block->children().size() < 2)
            return false;
        const auto loop = nest_.loopOf.find(soleStatement(block->children().back()));
        if (loop == nest_.loopOf.end() || loop->second->kind != Loop::Kind::Counting) return false;
        found.loop = loop->second;
        found.statement = soleStatement(bodyOf(*found.loop));
        const NodePtr assign = soleAssignment(found.statement);
        return assign && assign->child(ast::Assign::op)->text() == "=" && isRow(assign) &&
               isElement(assign->child(ast::Assign::target));
    }

    CopyOfRow found;

private:
    bool isRow(NodePtr assign) {
        const NodePtr value = ast::withoutParentheses(assign->child(ast::Assign::value));
        if (!ast::is<ast::Subscript>(value) || !isDouble(value->type)) return false;
        const NodePtr base = value->child(ast::Subscript::base);
        const auto subscripts = value->child(ast::Subscript::subscripts)->children();
        found.row = isVector(base) ? base->symbol : nullptr;
        if (!found.row || subscripts.size() != 1 ||
            (!outer_.scratch.contains(found.row) && !isDeclared()))
            return false;
        found.index = ast::withoutParentheses(subscripts[0]);
        return isNamed(found.index, found.loop->variable);
    }

    /// By the iteration.
    bool isDeclared() const {
        return std::ranges::any_of(bodyOf(outer_)->children(),
                                   [&](NodePtr part) { return declarationOf(part, found.row); });
    }

    /// Of the iteration, once for each j, and the nest reaches nothing else of the array.
    bool isElement(NodePtr target) {
        found.target = accessAt(nest_, target);
        if (!found.target || found.target->slots.empty() || !isOfDoubles(*found.target))
            return false;
        const auto& slots = found.target->slots;
        return isIndex(slots.back(), *found.loop) &&
               std::ranges::any_of(slots, [&](const Slot& s) { return isIndex(s, outer_); }) &&
               std::ranges::count_if(slots,
                                     [&](const Slot& slot) {
                                         return mentions(slot.subscript, found.loop->variable);
                                     }) == 1 &&
               std::ranges::count(nest_.accesses, found.target->array, &Access::array) == 1;
    }

    const Nest& nest_;
    const Loop& outer_;
};

/// c[i, k] for row[k].
class InRow : public ast::Rewriter {
public:
    InRow(Context& context, const Nest& nest, const CopyOfRow& copied)
        : Rewriter(context.arena), nest_(nest), copied_(copied) {}

    NodePtr rewriteSubscript(NodePtr node) override {
        const NodePtr base = node->child(ast::Subscript::base);
        if (!ast::is<ast::Identifier>(base) || base->symbol != copied_.row)
            return rewriteChildren(node);
        return element(node->child(ast::Subscript::subscripts)->child(0));
    }

    /// What gives all elements one value goes over those that are copied.
    NodePtr rewriteFor(NodePtr loop) override {
        const auto found = nest_.loopOf.find(loop);
        const NodePtr value = found == nest_.loopOf.end() ? nullptr : filled(*found->second);
        return value ? filling(value) : rewriteChildren(loop);
    }
    NodePtr rewriteDeclaration(NodePtr declaration) override {
        const NodePtr declared = declarationOf(declaration, copied_.row);
        if (!declared) return rewriteChildren(declaration);
        const auto given = declared->child(ast::InitDeclarator::initializer)->children();
        if (given.size() == 1) return filling(ast::literal(arena(), "0.0", declaration));
        return isSame(given[1]) ? filling(given[1]) : declaration;
    }

private:
    NodePtr filling(NodePtr value) {
        const NodePtr assign = copied_.statement->child(ast::ExpressionStatement::expression);
        const NodePtr set = ast::withChild(arena(), ast::copy(arena(), assign), ast::Assign::value,
                                           ast::copy(arena(), value));
        const NodePtr statement = ast::withChild(arena(), ast::copy(arena(), copied_.statement),
                                                 ast::ExpressionStatement::expression, set);
        return ast::withChild(arena(), ast::copy(arena(), copied_.loop->statement),
                              bodySlot(*copied_.loop), statement);
    }

    /// e of `for (k = 0; k < row.size(); ++k) row[k] = e;`; null of others.
    NodePtr filled(const Loop& loop) const {
        const NodePtr assign = soleAssignment(bodyOf(loop));
        if (!assign || loop.kind != Loop::Kind::Counting || loop.step != 1 || loop.reachesEnd ||
            ast::asConstant(loop.first) != 0 || !asksRow(loop.end) ||
            assign->child(ast::Assign::op)->text() != "=")
            return nullptr;
        const NodePtr target = assign->child(ast::Assign::target),
                      value = assign->child(ast::Assign::value);
        const bool isElement =
            ast::is<ast::Subscript>(target) &&
            target->child(ast::Subscript::base)->symbol == copied_.row &&
            isNamed(target->child(ast::Subscript::subscripts)->child(0), loop.variable);
        return isElement && isSame(value) && !mentions(value, loop.variable) ? value : nullptr;
    }
    bool isSame(NodePtr value) const {
        return ast::isPure(value) && !mentions(value, copied_.loop->variable) &&
               !mentions(value, copied_.row->name);
    }
    bool asksRow(NodePtr end) const {
        if (!ast::asksContainer(end)) return false;
        const NodePtr callee = end->child(ast::Call::callee);
        return ast::is<ast::Member>(callee) && callee->child(ast::Member::name)->text() == "size" &&
               callee->child(ast::Member::base)->symbol == copied_.row;
    }

    NodePtr element(NodePtr subscript) {
        const NodePtr place = rewrite(subscript);
        return InPlaceOf(arena(), copied_.index, [&](NodePtr) { return ast::copy(arena(), place); })
            .rewrite(ast::copy(arena(), copied_.target->node));
    }

    const Nest& nest_;
    const CopyOfRow& copied_;
};

}  // namespace

NodePtr withRowForScratch(Context& context, const Nest& nest) {
    CopyAtEnd copy(nest);
    if (!copy.isThere()) return nullptr;
    const Loop& outer = nest.loops.front();
    const NodePtr block = bodyOf(outer);
    InRow inRow(context, nest, copy.found);
    std::vector<NodePtr> parts;
    for (const NodePtr part : block->children().first(block->children().size() - 1))
        parts.push_back(inRow.rewrite(part));
    const NodePtr body = context.arena.rebuilt(block, block, parts);
    if (mentions(body, copy.found.row->name)) return nullptr;
    return ast::withChild(context.arena, outer.statement, bodySlot(outer), body);
}

}  // namespace hpcc::nests
