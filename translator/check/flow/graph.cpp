// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/flow/graph.hpp"

#include "analysis/directives.hpp"
#include "analysis/flow_graph_builder.hpp"
#include "ast/effects.hpp"
#include "check/facts.hpp"
#include "check/flow/class_code.hpp"
#include "check/flow/constants.hpp"
#include "check/flow/returning.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hpcc::check::flow {
namespace {

class Builder : analysis::FlowGraphBuilder {
public:
    explicit Builder(Graph& graph) : FlowGraphBuilder(true), graph_(graph) {
        current = newBlock();
        exit = newBlock();
        graph_.exit = static_cast<std::size_t>(exit);
    }

    void body(NodePtr node) {
        if (node->is<ast::FunctionTry>())
            tryBlock(node->child(ast::FunctionTry::body), node->child(ast::FunctionTry::handlers));
        else
            statement(node);
        connect(current, exit);
    }

private:
    int newBlock() override {
        graph_.blocks.emplace_back();
        return static_cast<int>(graph_.blocks.size()) - 1;
    }
    void addEdge(int from, int to) override {
        graph_.blocks[static_cast<std::size_t>(from)].successors.push_back(to);
    }
    void step(Step::Kind kind, NodePtr node, NodePtr part = nullptr) {
        if (!node && kind == Step::Kind::Evaluate) return;
        graph_.blocks[static_cast<std::size_t>(here())].steps.push_back(
            {kind, node, part, statement_});
    }

    void optional(NodePtr node);
    void opaque(NodePtr node);
    void destroy(std::size_t alive);

    void statement(NodePtr node) override;
    void initializer(NodePtr node) override { statement(node); }
    Outcome condition(NodePtr expression, bool isRepeated) override;
    void evaluate(NodePtr expression, bool) override { step(Step::Kind::Evaluate, expression); }
    void bind(NodePtr rangeFor) override { step(Step::Kind::Declare, rangeFor, rangeFor); }
    void leave(NodePtr jump, const Target* target) override;
    void beginSide(NodePtr construct, NodePtr condition) override {
        step(Step::Kind::Assume, construct, condition);
    }
    void conditional(NodePtr condition, NodePtr body) override;
    void repeated(NodePtr body) override;
    void behind(NodePtr construct, NodePtr condition) override;
    void beginHandler(NodePtr handler, int, int) override { step(Step::Kind::Forget, handler); }
    bool runsOnce(NodePtr loop) override { return runsAtLeastOnce(loop); }
    bool mayMatchNoLabel(const Switch& around) override;
    std::size_t alive() const override { return alive_.size(); }

    void statements(NodePtr list) override;
    void expressionStatement(NodePtr expression) override;
    void declare(NodePtr declaration, NodePtr declarator) override {
        step(Step::Kind::Declare, declaration, declarator);
        if (mayEndWithCode(declaration, declarator)) alive_.push_back(declarator);
    }
    void rangeLoop(NodePtr node) override;
    void macroStatement(NodePtr node) override;
    void on(NodePtr node) override;
    void at(NodePtr node) override { step(Step::Kind::Nest, node); }
    void overall(NodePtr node) override { step(Step::Kind::Nest, node); }
    void opaqueStatement(NodePtr node) override { opaque(node); }

    Graph& graph_;
    NodePtr statement_ = nullptr;
    int directiveDepth_ = 0;
    Surroundings around_;
    std::vector<NodePtr> alive_;  // objects at whose end code runs
};

// True if objects that are declared inside end behind it.
bool endsObjects(NodePtr statement) {
    switch (statement->kind()) {
    case ast::Kind::Compound:
    case ast::Kind::If:
    case ast::Kind::For:
    case ast::Kind::RangeFor:
    case ast::Kind::Switch:
        return true;
    default:
        return false;
    }
}

void Builder::statement(NodePtr node) {
    if (!node) return;
    const NodePtr outer = statement_;
    statement_ = node;
    if (around_.isInLoop || !around_.conditions.empty()) graph_.surroundings[node] = around_;
    const std::size_t alive = alive_.size();
    dispatch(node);
    if (endsObjects(node)) {
        if (current != nowhere) destroy(alive);
        alive_.resize(alive);
    }
    statement_ = outer;
}

// Others hold no elements of what is done inside.
void Builder::on(NodePtr node) {
    step(Step::Kind::Evaluate, node->child(ast::On::group));
    statement(node->child(ast::On::body));
}

void Builder::statements(NodePtr list) {
    const int depth = directiveDepth_;
    analysis::forEachStatement(
        list,
        [&](std::string_view gap) {
            analysis::forEachCondition(gap, [&](int opened) { directiveDepth_ += opened; });
        },
        [&](NodePtr each) { directiveDepth_ > depth ? optional(each) : statement(each); });
    directiveDepth_ = depth;
}

// The objects declared last end, but for so many.
void Builder::destroy(std::size_t alive) {
    for (std::size_t k = alive_.size(); k > alive; --k) step(Step::Kind::Destroy, alive_[k - 1]);
}

// A statement between #if and #endif may not exist.
void Builder::optional(NodePtr node) {
    const int before = here();
    follow();
    statement(node);
    connect(before, follow());
    step(Step::Kind::Doubt, node);
}

void Builder::expressionStatement(NodePtr expression) {
    const NodePtr inner = bare(expression);
    if (ast::isUnknownName(inner)) return opaque(inner);
    step(Step::Kind::Evaluate, expression);
    const bool ends = ast::is<ast::Throw>(inner) || (inner && neverReturns(inner));
    if (ends) current = nowhere;
}

// It may break, continue or return.
void Builder::opaque(NodePtr node) {
    step(Step::Kind::Opaque, node);
    if (const Target* target = targetOf(false)) connect(current, target->atBreak);
    if (const Target* target = targetOf(true)) connect(current, target->atContinue);
    follow();
}

Builder::Outcome Builder::condition(NodePtr expression, bool) {
    const auto value = literalCondition(bare(expression));
    if (ast::is<ast::ConditionDeclaration>(expression))
        step(Step::Kind::Declare, expression, expression);
    else
        step(Step::Kind::Evaluate, expression);
    return {value != false, value != true};
}

void Builder::conditional(NodePtr condition, NodePtr body) {
    around_.conditions.push_back(condition);
    statement(body);
    around_.conditions.pop_back();
}

void Builder::repeated(NodePtr body) {
    const bool wasInLoop = std::exchange(around_.isInLoop, true);
    statement(body);
    around_.isInLoop = wasInLoop;
}

void Builder::behind(NodePtr construct, NodePtr condition) {
    const bool isDoubtful = construct->is<ast::If>() && isConstexprIf(construct);
    step(isDoubtful ? Step::Kind::Doubt : Step::Kind::Leave, construct, condition);
}

void Builder::rangeLoop(NodePtr node) {
    FlowGraphBuilder::rangeLoop(node);
    const NodePtr range = bare(node->child(ast::RangeFor::range));
    if (mayEndLoopWithCode(range)) step(Step::Kind::Destroy, range);
}

void Builder::macroStatement(NodePtr node) {
    step(Step::Kind::Opaque, node->child(ast::MacroStatement::head));
    loopWithoutTest(node, node->child(ast::MacroStatement::body));
    step(Step::Kind::Doubt, node);
}

bool Builder::mayMatchNoLabel(const Switch& around) {
    std::vector<const Symbol*> covered;
    for (const NodePtr each : around.labels) {
        if (each->is<ast::Default>()) return false;
        if (const Symbol* symbol = bare(each->child(ast::Case::value))->symbol)
            covered.push_back(symbol);
    }
    return !mayBeExhaustive(around.node->child(ast::Switch::condition), covered);
}

void Builder::leave(NodePtr node, const Target* target) {
    if (node->is<ast::Return>()) {
        if (const NodePtr value = node->child(ast::Return::value)) step(Step::Kind::Return, value);
        graph_.returnsEarly |= !around_.conditions.empty() || around_.isInLoop;
    }
    if (target)
        destroy(target->alive);
    else if (node->is<ast::Return>() || node->is<ast::Goto>())
        destroy(0);  // a `goto`: or some of them
}

// So that blocks come behind those that lead to them, but for loops. What is not reached goes.
void sort(Graph& graph) {
    std::vector<int> order = reversePostorder(graph.blocks);
    const int exit = static_cast<int>(graph.exit);
    if (std::ranges::find(order, exit) == order.end()) order.push_back(exit);
    std::vector<int> place(graph.blocks.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    std::vector<Block> sorted;
    for (const int each : order) {
        sorted.push_back(std::move(graph.blocks[static_cast<std::size_t>(each)]));
        for (int& next : sorted.back().successors) next = place[static_cast<std::size_t>(next)];
    }
    graph.blocks = std::move(sorted);
    graph.exit = static_cast<std::size_t>(place[graph.exit]);
}

}  // namespace

Graph flowGraph(NodePtr body) {
    Graph graph;
    Builder(graph).body(body);
    sort(graph);
    return graph;
}

}  // namespace hpcc::check::flow
