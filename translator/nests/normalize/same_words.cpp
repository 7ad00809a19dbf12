// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/same_words.hpp"

#include <algorithm>
#include <vector>

namespace hpcc::nests {

using ast::NodePtr;

bool areAlike(NodePtr made, NodePtr as) {
    if (!made || !as) return made == as;
    return made->kind() == as->kind() &&
           std::ranges::equal(made->children(), as->children(), areAlike);
}

NodePtr copyAt(ast::Arena& arena, NodePtr origin, NodePtr made, NodePtr as) {
    if (!made) return nullptr;
    std::vector<NodePtr> children;
    for (size_t k = 0; k < made->children().size(); ++k)
        children.push_back(copyAt(arena, origin, made->children()[k], as->children()[k]));
    const NodePtr copy = arena.rebuilt(made, origin, children);
    copy->type = as->type;
    copy->symbol = as->symbol;
    return copy;
}

}  // namespace hpcc::nests
