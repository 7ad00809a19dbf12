// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/rewriter.hpp"

namespace hpcc::ast {

NodePtr Rewriter::rewrite(NodePtr node) {
    if (!node || (about_ != 0 && !node->contains(about_))) return node;
    switch (node->kind()) {
#define NODE(category, name, ...) \
    case Kind::name:              \
        return rewrite##name(node);
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
    }
    return node;
}

NodePtr Rewriter::rewriteChildren(NodePtr node) {
    const auto old = node->children();
    std::vector<NodePtr> children;  // stays empty as long as none differs
    for (std::size_t k = 0; k < old.size(); ++k) {
        const NodePtr child = rewrite(old[k]);
        if (child != old[k] && children.empty()) children.assign(old.begin(), old.end());
        if (!children.empty()) children[k] = child;
    }
    return children.empty() ? node : rebuild(*arena_, node, children);
}

}  // namespace hpcc::ast
