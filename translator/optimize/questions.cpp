#include "optimize/questions.hpp"

#include <algorithm>

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
        if (isInquiry(node)) {
            const NodePtr callee = node->child(ast::Call::callee);
            const NodePtr base = callee->child(ast::Member::base);
            const std::string_view name = callee->child(ast::Member::name)->text();
            const bool mayFail = name != "data" && name != "stride" && name != "valid";
            if (mayFail && ast::is<ast::Identifier>(base))
                variables.push_back(graph.variableOf(base));
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
    isCollected_ = true;
    for (const Block& block : graph_.blocks())
        for (const Step& step : block.steps) {
            if (step.isHead) continue;
            Asked asked(graph_);
            asked.visit(step.node);
            for (const int variable : asked.variables) answers_[variable].push_back(step.place);
        }
}

bool Questions::haveAnswers(const std::vector<int>& variables, int place) const {
    if (!isCollected_) collect();
    return std::ranges::all_of(variables, [&](int variable) {
        const auto answers = answers_.find(variable);
        return variable >= firstVariable && answers != answers_.end() &&
               std::ranges::any_of(answers->second,
                                   [&](int answer) { return precedes(answer, place); });
    });
}

/// An earlier statement of a list around the place, or the head of a statement around it.
bool Questions::precedes(int answer, int place) const {
    if (answer >= place) return false;
    if (graph_.isInside(place, answer)) return true;
    const Place& there = graph_.place(answer);
    return there.edge == Edge::List && there.parent >= 0 && graph_.isInside(place, there.parent);
}

}  // namespace hpcc::optimize
