// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/copy.hpp"

namespace hpcc::ast {

NodePtr copy(Arena& arena, NodePtr node) {
    if (!node) return nullptr;
    std::vector<NodePtr> children;
    children.reserve(node->children().size());
    for (const NodePtr child : node->children()) children.push_back(copy(arena, child));
    const NodePtr result = arena.rebuilt(node, node, children);
    result->type = node->type;
    result->symbol = node->symbol;
    return result;
}

NodePtr copyWithoutNames(Arena& arena, NodePtr node) {
    if (!node) return nullptr;
    std::vector<NodePtr> children;
    children.reserve(node->children().size());
    for (const NodePtr child : node->children()) children.push_back(copyWithoutNames(arena, child));
    return arena.parsed(node->kind(), node->span(), children);
}

}  // namespace hpcc::ast
