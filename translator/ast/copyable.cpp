// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/copyable.hpp"

#include "ast/visitor.hpp"

namespace hpcc::ast {
namespace {

struct CopyJudge : Visitor {
    bool isCopyable = true;
    int nodes = 0;

    void visitOther(NodePtr node) override {
        ++nodes;
        visitChildren(node);
    }
    void visitBreak(NodePtr) override { isCopyable &= loops_ > 0; }
    void visitContinue(NodePtr) override { isCopyable &= loops_ > 0; }
    void visitGoto(NodePtr) override { isCopyable = false; }
    void visitLabel(NodePtr) override { isCopyable = false; }
    void visitSwitch(NodePtr) override { isCopyable = false; }
    void visitClass(NodePtr) override { isCopyable = false; }
    void visitLambda(NodePtr) override { isCopyable = false; }
    void visitSpecifier(NodePtr node) override { isCopyable &= node->text() != "static"; }
    void visitOpaqueStatement(NodePtr) override { isCopyable = false; }
    void visitOpaqueExpression(NodePtr) override { isCopyable = false; }
    void visitMacroStatement(NodePtr) override { isCopyable = false; }
    void visitFor(NodePtr node) override { loop(node); }
    void visitRangeFor(NodePtr node) override { loop(node); }
    void visitWhile(NodePtr node) override { loop(node); }
    void visitDoWhile(NodePtr node) override { loop(node); }

private:
    void loop(NodePtr node) {
        ++loops_;
        visitOther(node);
        --loops_;
    }
    int loops_ = 0;
};

}  // namespace

bool isCopyable(NodePtr body, int mostNodes) {
    CopyJudge judge;
    judge.visit(body);
    return judge.isCopyable && judge.nodes <= mostNodes;
}

}  // namespace hpcc::ast
