// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/correlation.hpp"

#include "ast/symbol.hpp"
#include "ast/visitor.hpp"
#include "check/facts.hpp"

#include <algorithm>
#include <set>

namespace hpcc::check::halo {
namespace {

// The variables that an expression is computed from, those behind stable variables included.
struct Sources : ast::Visitor {
    std::set<const Symbol*> variables;
    bool areFixed = true;  // nothing among them changes while the function runs

    void visitIdentifier(NodePtr node) override {
        const Symbol* symbol = node->symbol;
        if (symbol && symbol->kind == ast::SymbolKind::Enumerator) return;
        areFixed &= isStable(symbol) && !symbol->type->isReference;
        if (!symbol || !variables.insert(symbol).second) return;
        if (symbol->kind == ast::SymbolKind::Variable) visit(symbol->initializer);
    }
    void visitMember(NodePtr node) override {
        areFixed &= isStable(node->child(ast::Member::name)->symbol);
        visit(node->child(ast::Member::base));
    }
    void visitCall(NodePtr node) override { change(node); }
    void visitLambda(NodePtr node) override { change(node); }
    void visitAssign(NodePtr node) override { change(node); }
    void visitPostfix(NodePtr node) override { change(node); }
    void visitPointerMember(NodePtr node) override { change(node); }
    void visitOpaqueExpression(NodePtr node) override { change(node); }
    void visitConditionDeclaration(NodePtr node) override { change(node); }
    void change(NodePtr node) {
        areFixed = false;
        visitChildren(node);
    }
};

Sources sourcesOf(NodePtr expression) {
    Sources sources;
    sources.visit(expression);
    return sources;
}

}  // namespace

bool mayCorrelate(NodePtr condition, const flow::Surroundings* write) {
    const Sources own = sourcesOf(condition);
    if (!own.areFixed) return true;
    if (!write) return false;
    return std::ranges::any_of(write->conditions, [&](NodePtr each) {
        const Sources other = sourcesOf(each);
        return std::ranges::any_of(
            own.variables, [&](const Symbol* symbol) { return other.variables.contains(symbol); });
    });
}

}  // namespace hpcc::check::halo
