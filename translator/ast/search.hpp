// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node is, and what stands below it.
//
//     anywhere(body, [](NodePtr each) { return is<Call>(each); })     calls something
//     allOf<Identifier>(body)                                         the names in it
#pragma once

#include "ast/node.hpp"

#include <algorithm>
#include <vector>

namespace hpcc::ast {

// True if the node is of one of these kinds; null is of none.
template <class... Kinds>
bool isAny(NodePtr node) {
    return node && (node->is<Kinds>() || ...);
}

// True if the predicate holds for the node or for one below it.
template <class Predicate>
bool anywhere(NodePtr node, const Predicate& isWanted) {
    return node && (isWanted(node) || std::ranges::any_of(node->children(), [&](NodePtr child) {
                        return anywhere(child, isWanted);
                    }));
}

// The nodes of that kind, in source order.
template <class Kind>
std::vector<NodePtr> allOf(NodePtr root) {
    std::vector<NodePtr> found;
    const auto take = [&found](NodePtr each) {
        if (each->is<Kind>()) found.push_back(each);
        return false;
    };
    anywhere(root, take);
    return found;
}

}  // namespace hpcc::ast
