// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which places and steps the statements of a body have.
#include "analysis/flow_graph_builder.hpp"

#include <algorithm>
#include <utility>

#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

class FlowGraphBuilder : analysis::FlowGraphBuilder {
public:
    explicit FlowGraphBuilder(FlowGraph& graph)
        : analysis::FlowGraphBuilder(false),
          graph_(graph),
          hasLabels_(graph.names().body(graph.body_).hasLabels) {}

    void build(NodePtr body);

private:
    int newBlock() override;
    void addEdge(int from, int to) override {
        graph_.blocks_[static_cast<size_t>(from)].successors.push_back(to);
    }
    std::vector<Step>& steps() { return graph_.blocks_[static_cast<size_t>(here())].steps; }
    Place& place(int number) { return graph_.places_[static_cast<size_t>(number)]; }

    void statement(NodePtr node) override;
    void initializer(NodePtr node) override { head(node, false); }
    Outcome condition(NodePtr node, bool isRepeated) override;
    void evaluate(NodePtr expression, bool isRepeated) override;
    void bind(NodePtr rangeFor) override;
    void leave(NodePtr jump, const Target* target) override;
    void guarded(NodePtr body) override;
    void beginHandler(NodePtr handler, int first, int end) override;

    void statements(NodePtr list) override;
    void expressionStatement(NodePtr expression) override { evaluate(expression, false); }
    void declare(NodePtr declaration, NodePtr declarator) override;
    void macroStatement(NodePtr node) override;
    void caseLabel(NodePtr node) override;
    void tryStatement(NodePtr node) override;
    // Lowering has left none of these, or the body is not built.
    void on(NodePtr) override {}
    void at(NodePtr) override {}
    void overall(NodePtr) override {}
    void opaqueStatement(NodePtr) override {}

    /// Parts of a statement's head: a declaration or an expression.
    void head(NodePtr part, bool isRepeated);
    void variables(NodePtr declaration, bool inHead);
    int newPlace(NodePtr node);
    Edge edgeIn(int parent) const;
    bool isSeenByHandler(int variable, NodePtr step) const;
    void markJump(int within);

    FlowGraph& graph_;
    bool hasLabels_;
    int place_ = -1;    // the statement that is being built
    int tryBody_ = -1;  // the place of the innermost body of a try around
};

FlowGraph::FlowGraph(const Names& names, NodePtr body)
    : names_(names),
      body_(names.bodyOf(body)),
      homes_(static_cast<size_t>(names.size()) + firstVariable) {
    FlowGraphBuilder(*this).build(body);
}

void FlowGraphBuilder::build(NodePtr body) {
    constexpr size_t many = 128;
    graph_.blocks_.reserve(many);
    graph_.places_.reserve(many);
    current = newBlock();
    graph_.isKnown_ = !graph_.names().body(graph_.body_).isOpaque;
    if (!graph_.isKnown_) return;
    statement(body);
    linkBack(graph_.blocks_);
}

int FlowGraphBuilder::newBlock() {
    graph_.blocks_.emplace_back();
    return static_cast<int>(graph_.blocks_.size()) - 1;
}

// ---- places ------------------------------------------------------------------------------------

/// How a statement hangs in the place `parent`.
Edge FlowGraphBuilder::edgeIn(int parent) const {
    if (parent < 0) return Edge::List;
    const Place& outer = graph_.place(parent);
    if (outer.isLoop) return Edge::Loop;
    // Where a label can be jumped to, no declaration may stand in between.
    if (hasLabels_ || !(outer.isList || outer.statement->is<ast::Sequence>())) return Edge::Branch;
    const bool isSwitch = outer.isList && outer.parent >= 0 &&
                          graph_.place(outer.parent).statement->is<ast::Switch>();
    return isSwitch ? Edge::Branch : Edge::List;
}

int FlowGraphBuilder::newPlace(NodePtr node) {
    Place made;
    made.statement = node;
    made.parent = place_;
    made.edge = edgeIn(place_);
    made.block = here();
    made.step = static_cast<int>(steps().size());
    if (place_ >= 0) made.loops = place(place_).loops + (made.edge == Edge::Loop ? 1 : 0);
    made.isLoop = node->is<ast::For>() || node->is<ast::RangeFor>() || node->is<ast::While>() ||
                  node->is<ast::DoWhile>();
    made.isList = node->is<ast::Compound>();
    // A declaration cannot move into a block of its own.
    const bool declares = node->is<ast::Declaration>() || node->is<ast::Sequence>();
    made.canPrecede = made.edge == Edge::List || !declares;
    graph_.places_.push_back(made);
    return static_cast<int>(graph_.places_.size()) - 1;
}

void FlowGraphBuilder::statement(NodePtr node) {
    if (!node) return;
    // Checks stand before their statement in a Sequence: its parts belong to the list around it.
    if (node->is<ast::Sequence>() && edgeIn(place_) == Edge::List) return statements(node);
    const int outer = std::exchange(place_, newPlace(node));
    dispatch(node);
    place(place_).end = static_cast<int>(graph_.places_.size());
    place(place_).endBlock = current;
    place(place_).endStep = current == nowhere ? 0 : static_cast<int>(steps().size());
    place_ = outer;
}

void FlowGraphBuilder::statements(NodePtr list) {
    for (const NodePtr child : list->children()) statement(child);
}

void FlowGraphBuilder::markJump(int within) {
    for (int each = place_; each != within; each = place(each).parent) place(each).mayJump = true;
}

void FlowGraphBuilder::leave(NodePtr jump, const Target* /*target*/) {
    if (jump->is<ast::Return>()) evaluate(jump->child(ast::Return::value), false);
    const bool staysInLoop = jump->is<ast::Break>() || jump->is<ast::Continue>();
    markJump(staysInLoop ? graph_.loopAround(place_) : -1);
}

// ---- steps -------------------------------------------------------------------------------------

void FlowGraphBuilder::evaluate(NodePtr node, bool isRepeated) {
    if (!node) return;
    if (node->is<ast::Comma>()) {
        evaluate(node->child(ast::Comma::left), isRepeated);
        return evaluate(node->child(ast::Comma::right), isRepeated);
    }
    const StepEffects* const known = graph_.names().effectsOf(node);
    const StepEffects& effects = known ? *known : effectsOfStep(graph_.names(), node);
    Step made{node, place_, {}, isRepeated, effects.callsUnknown};
    place(place_).callsUnknown |= effects.callsUnknown;
    if (effects.reachesOutside) made.defs.push_back(outsideHandles);
    if (effects.reachesOutside || effects.storesElements) made.defs.push_back(outsideValues);
    for (const int variable : effects.assigned) {
        const bool own =
            graph_.names()[variable].body == graph_.body_ && !graph_.names()[variable].escapes;
        if (own) {
            made.defs.push_back(variable + firstVariable);
        } else if (!effects.reachesOutside) {
            made.defs.push_back(outsideHandles);
            made.defs.push_back(outsideValues);
        }
    }
    const bool startsBlock =
        std::ranges::any_of(made.defs, [&](int each) { return isSeenByHandler(each, node); });
    if (startsBlock && !steps().empty()) follow();
    if (steps().empty()) steps().reserve(4);
    steps().push_back(std::move(made));
}

/// True if a handler sees the variable, which the step assigns. False if the body of the `try`
/// declares it.
bool FlowGraphBuilder::isSeenByHandler(int variable, NodePtr step) const {
    if (tryBody_ < 0 || variable < firstVariable) return false;
    return graph_.homeOf(variable).place < tryBody_ &&
           graph_.names()[variable - firstVariable].declaration != step;
}

/// The variables that it declares live from here on.
void FlowGraphBuilder::variables(NodePtr declaration, bool inHead) {
    const Names& names = graph_.names();
    // A structured binding declares several.
    for (int variable = names.declaredBy(declaration);
         variable >= 0 && variable < names.size() && names[variable].declaration == declaration;
         ++variable) {
        graph_.homes_[static_cast<size_t>(variable) + firstVariable] = {place_, inHead};
        if (!steps().empty() && steps().back().node == declaration)
            steps().back().defs.push_back(variable + firstVariable);
    }
}

void FlowGraphBuilder::declare(NodePtr /*declaration*/, NodePtr declarator) {
    evaluate(declarator, false);
    variables(declarator, false);
}

void FlowGraphBuilder::head(NodePtr part, bool isRepeated) {
    if (!part) return;
    if (part->is<ast::Declaration>()) {
        const NodePtr list = part->child(ast::Declaration::declarators);
        for (const NodePtr each : list ? list->children() : std::span<const NodePtr>()) {
            evaluate(each, isRepeated);
            variables(each, true);
        }
        return;
    }
    if (part->is<ast::ExpressionStatement>()) part = part->child(0);
    evaluate(part, isRepeated);
    if (ast::is<ast::ConditionDeclaration>(part)) variables(part, true);
}

FlowGraphBuilder::Outcome FlowGraphBuilder::condition(NodePtr node, bool isRepeated) {
    head(node, isRepeated);
    return {};
}

void FlowGraphBuilder::bind(NodePtr rangeFor) {
    const int variable = graph_.names().declaredBy(rangeFor);
    if (variable < 0) return;
    variables(rangeFor, true);
    steps().push_back({rangeFor->child(ast::RangeFor::declarator),
                       place_,
                       {variable + firstVariable},
                       true,
                       false});
}

// ---- statements that are not as everywhere -----------------------------------------------------

void FlowGraphBuilder::macroStatement(NodePtr node) {
    const size_t body = graph_.places_.size();
    statement(node->child(ast::MacroStatement::body));
    graph_.places_[body].canPrecede = false;  // nothing may stand in between
}

void FlowGraphBuilder::caseLabel(NodePtr node) {
    if (node->is<ast::Case>()) evaluate(node->child(ast::Case::value), false);
    analysis::FlowGraphBuilder::caseLabel(node);
}

void FlowGraphBuilder::guarded(NodePtr body) {
    const int outer = std::exchange(tryBody_, static_cast<int>(graph_.places().size()));
    statement(body);
    tryBody_ = outer;
}

// A handler may be reached from anywhere in the body. So that it is reached by what a variable was
// before each assignment, too, each assignment there of what the handler sees begins a block.
void FlowGraphBuilder::beginHandler(NodePtr /*handler*/, int first, int end) {
    for (int block = first; block < end; ++block) connect(block, current);
}

void FlowGraphBuilder::tryStatement(NodePtr node) {
    analysis::FlowGraphBuilder::tryStatement(node);
    markJump(-1);
}

}  // namespace hpcc::optimize
