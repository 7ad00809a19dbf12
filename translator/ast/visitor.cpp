#include "ast/visitor.hpp"

namespace hpcc::ast {

void Visitor::visit(NodePtr node) {
    if (!node) return;
    switch (node->kind()) {
#define NODE(category, name, ...) \
    case Kind::name:              \
        return visit##name(node);
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
    }
}

void Visitor::visitChildren(NodePtr node) {
    for (NodePtr child : node->children()) visit(child);
}

void EvaluationVisitor::visitValueCapture(NodePtr node) {
    const NodePtr initializer = node->child(ValueCapture::initializer);
    visit(initializer ? initializer : node->child(ValueCapture::name));
}

void EvaluationVisitor::visitReferenceCapture(NodePtr node) {
    const NodePtr initializer = node->child(ReferenceCapture::initializer);
    visit(initializer ? initializer : node->child(ReferenceCapture::name));
}

}  // namespace hpcc::ast
