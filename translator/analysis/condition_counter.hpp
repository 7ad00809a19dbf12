// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks what runs, and counts the conditions round it.
#pragma once

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/statement_forms.hpp"
#include "ast/visitor.hpp"

namespace hpcc::analysis {

class ConditionCounter : public ast::EvaluationVisitor {
public:
    void visitCompound(NodePtr node) override {
        const int before = conditions_;
        for (const NodePtr statement : node->children()) {
            visit(statement);
            if (mayLeave(statement)) ++conditions_;
        }
        conditions_ = before;
    }
    void visitIf(NodePtr node) override {
        visit(node->child(ast::If::initializer));
        visit(node->child(ast::If::condition));
        if (const auto branch = compiledBranch(node)) return visit(*branch);
        perhaps(node->child(ast::If::then));
        perhaps(node->child(ast::If::otherwise));
    }
    void visitConditional(NodePtr node) override {
        visit(node->child(ast::Conditional::condition));
        perhaps(node->child(ast::Conditional::then));
        perhaps(node->child(ast::Conditional::otherwise));
    }
    void visitFor(NodePtr node) override { repeated(node); }
    void visitRangeFor(NodePtr node) override { repeated(node); }
    void visitOverallHeader(NodePtr node) override {
        visitChildren(node);
        if (mayRunNever(node)) ++conditions_;
    }
    void visitOverall(NodePtr node) override {
        const int before = conditions_;
        ++nests_;
        visitChildren(node);
        --nests_;
        conditions_ = before;
    }
    void visitAt(NodePtr node) override {
        ++nests_;
        perhapsAll(node);
        --nests_;
    }
    void visitOn(NodePtr node) override { perhapsAll(node); }
    void visitWhile(NodePtr node) override { perhapsAll(node); }
    void visitSwitch(NodePtr node) override { perhapsAll(node); }
    void visitTry(NodePtr node) override { perhapsAll(node); }
    void visitFunctionTry(NodePtr node) override { perhapsAll(node); }
    void visitMacroStatement(NodePtr node) override { perhapsAll(node); }
    void visitLambda(NodePtr node) override {
        visit(node->child(ast::Lambda::captures));
        perhaps(node->child(ast::Lambda::body));
    }

protected:
    int conditions() const { return conditions_; }  // what stands here runs perhaps, if any
    int nests() const { return nests_; }            // `overall` and `at`

    void perhaps(NodePtr node) {
        ++conditions_;
        visit(node);
        --conditions_;
    }
    void perhapsAll(NodePtr node) {
        ++conditions_;
        visitChildren(node);
        --conditions_;
    }
    void repeated(NodePtr loop) {
        const int before = conditions_;
        conditions_ += mayRunNever(loop) ? 1 : 0;
        visitChildren(loop);
        conditions_ = before;
    }

private:
    int conditions_ = 0, nests_ = 0;
};

}  // namespace hpcc::analysis
