// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "regions/method.hpp"

namespace hpcc::regions {
namespace {

using analysis::bare;

bool isHarmless(NodePtr call) {
    return sizedArray(call) || ast::isMathematicalCall(call) || ast::isPure(call) ||
           call->child(ast::Call::callee)->text().starts_with("std::");
}

// a[k] of `a[k] = e`, of which nothing is read.
std::optional<Access> writtenElement(NodePtr node, const Arrays& arrays) {
    if (!node->is<ast::Assign>() || node->child(ast::Assign::op)->text() != "=")
        return std::nullopt;
    const NodePtr target = bare(node->child(ast::Assign::target));
    return ast::is<ast::Subscript>(target) ? accessOf(target, arrays, true) : std::nullopt;
}

void collect(NodePtr node, const Arrays& arrays, Mentioned& found);

// a.size(0), a[k].size(): no element is read.
void collectSized(NodePtr call, const Arrays& arrays, Mentioned& found) {
    const NodePtr owner = bare(bare(call->child(ast::Call::callee))->child(ast::Member::base));
    if (ast::is<ast::Subscript>(owner))
        collect(owner->child(ast::Subscript::subscripts), arrays, found);
    collect(call->child(ast::Call::arguments), arrays, found);
}

void collect(NodePtr node, const Arrays& arrays, Mentioned& found) {
    if (!node) return;
    if (node->is<ast::InitDeclarator>())
        return collect(node->child(ast::InitDeclarator::initializer), arrays, found);
    if (const auto target = writtenElement(node, arrays)) {
        found.written.insert(target->array->symbol);
        for (const NodePtr each : target->subscripts()) collect(each, arrays, found);
        return collect(node->child(ast::Assign::value), arrays, found);
    }
    if (node->is<ast::Identifier>() && arrays.contains(node->symbol))
        found.wholes.insert(node->symbol);
    found.returns |= node->is<ast::Return>() || node->is<ast::Throw>();
    if (node->is<ast::Call>()) {
        found.callsOthers |= !isHarmless(node);
        if (sizedArray(node)) return collectSized(node, arrays, found);
    }
    const auto element = node->is<ast::Subscript>() ? accessOf(node, arrays) : std::nullopt;
    if (element) {
        found.elements.insert(element->array->symbol);
        found.reads.push_back(node);
        for (const NodePtr each : element->subscripts()) collect(each, arrays, found);
        return;
    }
    for (const NodePtr child : node->children()) collect(child, arrays, found);
}

// std::swap, or the one of containers that is found by their namespace.
bool isSwap(NodePtr callee, std::span<const NodePtr> arguments) {
    const auto isContainer = [](NodePtr each) {
        const Symbol* symbol = bare(each)->symbol;
        return symbol && isContiguous(symbol->type);
    };
    return callee->text() == "std::swap" || (callee->text() == "swap" && !callee->symbol &&
                                             std::ranges::all_of(arguments, isContainer));
}

// Two such arrays are swapped by their handles, rather than by their elements.
bool changesMemory(const DividedArray& array) {
    const ast::Type* type = array.symbol->type;
    if (array.isPointer()) return true;
    return type->kind != ast::TypeKind::CArray &&
           !(type->classSymbol && type->classSymbol->name == "array");
}

}  // namespace

std::set<const Symbol*> Mentioned::all() const {
    std::set<const Symbol*> symbols = elements;
    symbols.insert(wholes.begin(), wholes.end());
    symbols.insert(written.begin(), written.end());
    return symbols;
}

Mentioned mentionedIn(NodePtr node, const Arrays& arrays) {
    Mentioned found;
    collect(node, arrays, found);
    return found;
}

std::optional<std::pair<const DividedArray*, const DividedArray*>> swapped(NodePtr statement,
                                                                           const Arrays& arrays) {
    if (!ast::is<ast::ExpressionStatement>(statement)) return std::nullopt;
    const NodePtr call = bare(statement->child(ast::ExpressionStatement::expression));
    if (!ast::is<ast::Call>(call)) return std::nullopt;
    const auto arguments = call->child(ast::Call::arguments)->children();
    if (arguments.size() != 2 || !isSwap(call->child(ast::Call::callee), arguments))
        return std::nullopt;
    const auto a = arrays.find(bare(arguments[0])->symbol),
               b = arrays.find(bare(arguments[1])->symbol);
    if (a == arrays.end() || b == arrays.end() || !changesMemory(a->second) ||
        !changesMemory(b->second) || a->second.isRows != b->second.isRows ||
        a->second.countedBy() != b->second.countedBy() || a->second.element != b->second.element ||
        a->second.rank != b->second.rank || a->second.dimension != b->second.dimension)
        return std::nullopt;
    return std::pair(&a->second, &b->second);
}

}  // namespace hpcc::regions
