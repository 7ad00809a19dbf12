// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/questions.hpp"

#include <algorithm>
#include <span>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/visitor.hpp"

namespace hpcc::optimize {
namespace {

/// The variables that an expression surely asks.
struct Asked : ast::Visitor {
    explicit Asked(const FlowGraph& graph) : graph(graph) {}
    const FlowGraph& graph;
    std::vector<int> variables;

    void visitCall(NodePtr node) override {
        const ast::RuntimeMember* inquiry = ast::inquiryOf(node);
        const bool mayFail = inquiry && (inquiry->answers == ast::Answers::Value ||
                                         inquiry->answers == ast::Answers::Parts);
        if (mayFail) {
            const NodePtr base = node->child(ast::Call::callee)->child(ast::Member::base);
            if (ast::is<ast::Identifier>(base)) variables.push_back(graph.variableOf(base));
        }
        visitChildren(node);
    }
    // What might not be evaluated.
    void visitConditional(NodePtr) override {}
    void visitLambda(NodePtr) override {}
    void visitSizeof(NodePtr) override {}
    void visitBinary(NodePtr node) override {
        visit(node->child(ast::Binary::left));
        if (!ast::isShortCircuit(node)) visit(node->child(ast::Binary::right));
    }
};

}  // namespace

void Questions::collect() const {
    for (const Block& block : graph_.blocks()) {
        auto& steps = asked_.emplace_back();
        for (const Step& step : block.steps) {
            Asked asked(graph_);
            asked.visit(step.node);
            std::erase_if(asked.variables, [](int variable) { return variable < firstVariable; });
            steps.push_back(std::move(asked.variables));
        }
    }
    // What is declared anew has not answered yet.
    const auto transfer = [this](int block, Facts& answered) {
        const auto& steps = graph_.blocks()[static_cast<size_t>(block)].steps;
        for (size_t step = 0; step < steps.size(); ++step) {
            for (const int variable : steps[step].defs)
                answered.reset(static_cast<size_t>(variable));
            for (const int variable : asked_[static_cast<size_t>(block)][step])
                answered.set(static_cast<size_t>(variable));
        }
    };
    const Facts none(static_cast<size_t>(graph_.names().size() + firstVariable));
    flow_ = solve(graph_.blocks(),
                  {analysis::Direction::Forward, analysis::Meet::Intersection, none, transfer});
}

bool Questions::haveAnswers(const Variables& variables, int place) const {
    if (!flow_) collect();
    const auto block = static_cast<size_t>(graph_.place(place).block);
    const auto before =
        std::span(asked_[block]).first(static_cast<size_t>(graph_.place(place).step));
    return std::ranges::all_of(variables, [&](int variable) {
        if (variable < firstVariable) return false;
        return flow_->before[block][static_cast<size_t>(variable)] ||
               std::ranges::any_of(before, [&](const std::vector<int>& asked) {
                   return std::ranges::find(asked, variable) != asked.end();
               });
    });
}

}  // namespace hpcc::optimize
