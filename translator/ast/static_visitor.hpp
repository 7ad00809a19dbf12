// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Visitor and EvaluationVisitor without virtual calls, for the walks in which the translator
// spends its time: the pass is the template's argument, and what it does not define recurses. It
// may also define visit(), which then gets every node.
//
//     struct Counter : StaticEvaluationVisitor<Counter> {
//         int calls = 0;
//         void visitCall(NodePtr node) { ++calls; visitChildren(node); }
//     };
#pragma once

#include "ast/node.hpp"

namespace hpcc::ast {

template <class Pass>
class StaticVisitor {
public:
    void visit(NodePtr node) {  // null is allowed
        if (!node) return;
        switch (node->kind()) {
#define NODE(category, name, ...) \
    case Kind::name:              \
        return static_cast<Pass*>(this)->visit##name(node);
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
        }
    }

    // In source order. Stands once in the program, not in each of the cases above.
    [[gnu::noinline]] void visitChildren(NodePtr node) {
        for (const NodePtr child : node->children()) static_cast<Pass*>(this)->visit(child);
    }

#define NODE(category, name, ...) \
    void visit##name(NodePtr node) { visitChildren(node); }
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
};

// Visits what runs: no types, no unevaluated operands.
template <class Pass>
class StaticEvaluationVisitor : public StaticVisitor<Pass> {
public:
    void visitOperator(NodePtr) {}
    void visitSizeof(NodePtr) {}
    void visitTypeid(NodePtr) {}
    void visitNoexcept(NodePtr) {}
    void visitSpecifiers(NodePtr) {}
    void visitTypeName(NodePtr) {}
    // Their initializers, or else what they name.
    void visitValueCapture(NodePtr node) {
        const NodePtr initializer = node->child(ValueCapture::initializer);
        static_cast<Pass*>(this)->visit(initializer ? initializer
                                                    : node->child(ValueCapture::name));
    }
    void visitReferenceCapture(NodePtr node) {
        const NodePtr initializer = node->child(ReferenceCapture::initializer);
        static_cast<Pass*>(this)->visit(initializer ? initializer
                                                    : node->child(ReferenceCapture::name));
    }
};

}  // namespace hpcc::ast
