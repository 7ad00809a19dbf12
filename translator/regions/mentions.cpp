// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "regions/method.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

NodePtr sizedArray(NodePtr call) {
    const NodePtr callee = bare(call->child(ast::Call::callee));
    if (!ast::is<ast::Member>(callee) || callee->child(ast::Member::name)->text() != "size")
        return nullptr;
    const NodePtr base = bare(callee->child(ast::Member::base));
    return ast::is<ast::Identifier>(base) ? base : nullptr;
}

bool isHarmless(NodePtr call) {
    return sizedArray(call) || ast::isMathematicalCall(call) || ast::isPure(call) ||
           call->child(ast::Call::callee)->text().starts_with("std::");
}

// a[k] of `a[k] = e`, of which nothing is read.
NodePtr writtenElement(NodePtr node, const Arrays& arrays) {
    if (!node->is<ast::Assign>() || node->child(ast::Assign::op)->text() != "=") return nullptr;
    const NodePtr target = bare(node->child(ast::Assign::target));
    const NodePtr base =
        ast::is<ast::Subscript>(target) ? bare(target->child(ast::Subscript::base)) : nullptr;
    return ast::is<ast::Identifier>(base) && arrays.contains(base->symbol) ? target : nullptr;
}

void collect(NodePtr node, const Arrays& arrays, Mentioned& found) {
    if (!node) return;
    if (node->is<ast::InitDeclarator>())
        return collect(node->child(ast::InitDeclarator::initializer), arrays, found);
    if (const NodePtr target = writtenElement(node, arrays)) {
        found.written.insert(bare(target->child(ast::Subscript::base))->symbol);
        collect(target->child(ast::Subscript::subscripts), arrays, found);
        return collect(node->child(ast::Assign::value), arrays, found);
    }
    if (node->is<ast::Identifier>() && arrays.contains(node->symbol))
        found.wholes.insert(node->symbol);
    found.returns |= node->is<ast::Return>() || node->is<ast::Throw>();
    if (node->is<ast::Call>()) {
        found.callsOthers |= !isHarmless(node);
        if (sizedArray(node)) return collect(node->child(ast::Call::arguments), arrays, found);
    }
    const NodePtr base =
        node->is<ast::Subscript>() ? bare(node->child(ast::Subscript::base)) : nullptr;
    if (ast::is<ast::Identifier>(base) && arrays.contains(base->symbol)) {
        found.elements.insert(base->symbol);
        found.reads.push_back(node);
        return collect(node->child(ast::Subscript::subscripts), arrays, found);
    }
    for (const NodePtr child : node->children()) collect(child, arrays, found);
}

}  // namespace

Mentioned mentionedIn(NodePtr node, const Arrays& arrays) {
    Mentioned found;
    collect(node, arrays, found);
    return found;
}

std::optional<std::pair<const DividedArray*, const DividedArray*>> swapped(NodePtr statement,
                                                                           const Arrays& arrays) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return std::nullopt;
    const NodePtr call = bare(statement->child(ast::ExpressionStatement::expression));
    if (!ast::is<ast::Call>(call) || call->child(ast::Call::callee)->text() != "std::swap")
        return std::nullopt;
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (arguments.size() != 2) return std::nullopt;
    const auto a = arrays.find(bare(arguments[0])->symbol),
               b = arrays.find(bare(arguments[1])->symbol);
    if (a == arrays.end() || b == arrays.end() || a->second.element != b->second.element ||
        a->second.rank != b->second.rank || a->second.dimension != b->second.dimension)
        return std::nullopt;
    return std::pair(&a->second, &b->second);
}

}  // namespace hpcc::regions
