#include "ast/rewriter.hpp"

namespace hpcc::ast {

NodePtr Rewriter::rewrite(NodePtr node) {
    if (!node) return nullptr;
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
    bool changed = false;
    std::vector<NodePtr> children;
    children.reserve(node->children().size());
    for (NodePtr child : node->children()) {
        children.push_back(rewrite(child));
        changed |= children.back() != child;
    }
    return changed ? rebuild(*arena_, node, children) : node;
}

}  // namespace hpcc::ast
