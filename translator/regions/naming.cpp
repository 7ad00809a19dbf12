// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/naming.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "regions/arrays.hpp"

namespace hpcc::regions {

using analysis::bare;

bool isGiven(NodePtr node, const Symbol* array, int levels, const std::set<NodePtr>& but) {
    if (!node || but.contains(node)) return false;
    if (node->is<ast::Identifier>()) return node->symbol == array;
    const NodePtr sized = node->is<ast::Call>() ? sizedArray(node) : nullptr;
    if (sized && sized->symbol == array) return false;
    NodePtr base = node;
    int depth = 0;
    for (; ast::is<ast::Subscript>(base); ++depth) {
        if (isGiven(base->child(ast::Subscript::subscripts), array, levels, but)) return true;
        base = bare(base->child(ast::Subscript::base));
    }
    if (depth > 0 && base->symbol == array) return depth < levels;
    return std::ranges::any_of(node->children(),
                               [&](NodePtr child) { return isGiven(child, array, levels, but); });
}

bool mayChange(NodePtr node, const Symbol* variable) {
    return ast::anywhere(node, [variable](NodePtr each) {
        std::unordered_set<std::string_view> names;
        ast::addAssigned(each, names);
        if (!names.contains(variable->name)) return false;
        NodePtr target = ast::changedOperand(each);
        if (target) target = bare(target);
        if (!ast::is<ast::Member>(target)) return true;
        while (ast::is<ast::Member>(target)) target = bare(target->child(ast::Member::base));
        return ast::namesIn(target).contains(variable->name);
    });
}

}  // namespace hpcc::regions
