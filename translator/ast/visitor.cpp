// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/visitor.hpp"

namespace hpcc::ast {

// Half of what the translator does is to come by here: one table, no jumps in between.
void Visitor::visit(NodePtr node) {
    static constexpr void (Visitor::*visits[])(NodePtr) = {
#define NODE(category, name, ...) &Visitor::visit##name,
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
    };
    if (node) (this->*visits[static_cast<std::size_t>(node->kind())])(node);
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
