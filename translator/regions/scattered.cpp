// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/scattered.hpp"

#include <algorithm>

namespace hpcc::regions {
namespace {

using analysis::bare;

// The same in each loop over this variable.
bool isFixed(NodePtr subscript, const Symbol* variable) {
    if (!subscript) return true;
    const Symbol* symbol = subscript->symbol;
    if (subscript->is<ast::Identifier>() && symbol && symbol->name != variable->name)
        return symbol->kind == ast::SymbolKind::Parameter && symbol->type->isConst;
    return std::ranges::all_of(subscript->children(),
                               [&](NodePtr child) { return isFixed(child, variable); });
}
bool mentions(NodePtr node, const Symbol* symbol) {
    if (!node) return false;
    return (node->is<ast::Identifier>() && node->symbol == symbol) ||
           std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return mentions(child, symbol); });
}

}  // namespace

bool isScattered(NodePtr target, const Arrays& arrays) {
    if (!ast::is<ast::Subscript>(target) || accessOf(target, arrays)) return false;
    const NodePtr base = bare(target->child(ast::Subscript::base));
    return ast::is<ast::Identifier>(base) && base->symbol &&
           base->symbol->kind == ast::SymbolKind::Parameter && isContiguous(base->symbol->type) &&
           base->symbol->type->isReference && isNumber(target->type);
}

bool isOnlyScattered(const Method& method, NodePtr node, const Symbol* symbol,
                     std::string_view place) {
    if (!node) return true;
    const auto found = method.divisions.find(node);
    if (found != method.divisions.end()) {
        const auto& scattered = found->second.body.scattered;
        const auto each = scattered.find(symbol);
        if (each == scattered.end()) return !mentions(node, symbol);
        return each->second->text() == place && found->second.anchor == 0 &&
               isFixed(each->second->child(ast::Subscript::subscripts), found->second.variable());
    }
    if (node->is<ast::Identifier>()) return node->symbol != symbol;
    return std::ranges::all_of(node->children(), [&](NodePtr child) {
        return isOnlyScattered(method, child, symbol, place);
    });
}

}  // namespace hpcc::regions
