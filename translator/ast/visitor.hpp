// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a tree; recurses by default, a pass overrides what it looks at.
//
//     struct Counter : Visitor {
//         int overalls = 0;
//         void visitOverall(NodePtr node) override { ++overalls; visitChildren(node); }
//     };
#pragma once

#include "ast/node.hpp"

namespace hpcc::ast {

class Visitor {
public:
    virtual ~Visitor() = default;

    void visit(NodePtr node);          // null is allowed
    void visitChildren(NodePtr node);  // in source order

    // Called for every kind that has no override.
    virtual void visitOther(NodePtr node) { visitChildren(node); }

#define NODE(category, name, ...) \
    virtual void visit##name(NodePtr node) { visitOther(node); }
#define LIST(category, name) NODE(category, name)
#define LEAF(category, name) NODE(category, name)
#include "ast/nodes.def"
#undef NODE
#undef LIST
#undef LEAF
};

// Visits what runs: no types, no unevaluated operands.
class EvaluationVisitor : public Visitor {
public:
    void visitOperator(NodePtr) override {}
    void visitSizeof(NodePtr) override {}
    void visitTypeid(NodePtr) override {}
    void visitNoexcept(NodePtr) override {}
    void visitSpecifiers(NodePtr) override {}
    void visitTypeName(NodePtr) override {}
    // Their initializers, or else what they name.
    void visitValueCapture(NodePtr node) override;
    void visitReferenceCapture(NodePtr node) override;
};

}  // namespace hpcc::ast
