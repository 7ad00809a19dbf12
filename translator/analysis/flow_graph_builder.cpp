// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/flow_graph_builder.hpp"

namespace hpcc::analysis {

int FlowGraphBuilder::here() {
    if (current == nowhere) current = newBlock();
    return current;
}

void FlowGraphBuilder::connect(int from, int to) {
    if (from != nowhere && to != nowhere) addEdge(from, to);
}

int FlowGraphBuilder::follow() {
    const int next = newBlock();
    connect(current, next);
    return current = next;
}

// ---- branches ----------------------------------------------------------------------------------

/// The block that it begins with.
int FlowGraphBuilder::side(NodePtr construct, NodePtr condition, NodePtr body, int after) {
    const int first = current = newBlock();
    beginSide(construct, condition);
    conditional(condition, body);
    connect(current, after);
    return first;
}

void FlowGraphBuilder::branch(NodePtr node) {
    initializer(node->child(ast::If::initializer));
    const NodePtr test = node->child(ast::If::condition), other = node->child(ast::If::otherwise);
    const Outcome outcome = condition(test, false);
    const int decision = here(), after = newBlock();
    const int then = side(node, test, node->child(ast::If::then), after);
    const int otherwise = other || hasBothSides_ ? side(node, test, other, after) : after;
    if (outcome.mayFail) connect(decision, otherwise);
    if (outcome.mayHold) connect(decision, then);
    current = after;
    behind(node, test);
}

// ---- loops -------------------------------------------------------------------------------------

void FlowGraphBuilder::loopBody(NodePtr node, NodePtr body, int atBreak, int atContinue) {
    targets_.push_back({node, atBreak, atContinue, alive()});
    repeated(body);
    targets_.pop_back();
    connect(current, atContinue);
}

void FlowGraphBuilder::whileLoop(NodePtr node) {
    const int head = follow(), after = newBlock(), inside = newBlock();
    const Outcome outcome = condition(node->child(ast::While::condition), true);
    if (outcome.mayFail) connect(current, after);
    if (outcome.mayHold) connect(current, inside);
    current = inside;
    loopBody(node, node->child(ast::While::body), after, head);
    current = after;
    behind(node, nullptr);
}

void FlowGraphBuilder::doLoop(NodePtr node) {
    const int inside = follow(), test = newBlock(), after = newBlock();
    loopBody(node, node->child(ast::DoWhile::body), after, test);
    current = test;
    const Outcome outcome = condition(node->child(ast::DoWhile::condition), true);
    if (outcome.mayHold) connect(current, inside);
    if (outcome.mayFail) connect(current, after);
    current = after;
    behind(node, nullptr);
}

void FlowGraphBuilder::forLoop(NodePtr node) {
    initializer(node->child(ast::For::initializer));
    const int head = newBlock(), after = newBlock(), step = newBlock(), inside = newBlock();
    connect(current, runsOnce(node) ? inside : head);
    current = head;
    const NodePtr test = node->child(ast::For::condition);
    const Outcome outcome = test ? condition(test, true) : Outcome{true, false};
    if (outcome.mayFail) connect(current, after);
    if (outcome.mayHold) connect(current, inside);
    current = inside;
    loopBody(node, node->child(ast::For::body), after, step);
    current = step;
    evaluate(node->child(ast::For::step), true);
    connect(current, head);
    current = after;
    behind(node, nullptr);
}

void FlowGraphBuilder::rangeLoop(NodePtr node) {
    initializer(node->child(ast::RangeFor::initializer));
    evaluate(node->child(ast::RangeFor::range), false);
    loopWithoutTest(node, node->child(ast::RangeFor::body));
}

void FlowGraphBuilder::loopWithoutTest(NodePtr node, NodePtr body) {
    const int head = follow(), after = newBlock(), inside = newBlock();
    connect(head, after);
    connect(head, inside);
    current = inside;
    if (node->is<ast::RangeFor>()) bind(node);
    loopBody(node, body, after, head);
    current = after;
    behind(node, nullptr);
}

// ---- switch, labels, jumps ---------------------------------------------------------------------

void FlowGraphBuilder::switchStatement(NodePtr node) {
    initializer(node->child(ast::Switch::initializer));
    const NodePtr chosen = node->child(ast::Switch::condition);
    condition(chosen, false);
    const int after = newBlock();
    switches_.push_back({node, here(), {}});
    targets_.push_back({node, after, nowhere, alive()});
    current = nowhere;  // up to the first label
    conditional(chosen, node->child(ast::Switch::body));
    connect(current, after);
    targets_.pop_back();
    if (mayMatchNoLabel(switches_.back())) connect(switches_.back().dispatch, after);
    switches_.pop_back();
    current = after;
    behind(node, chosen);
}

void FlowGraphBuilder::caseLabel(NodePtr node) {
    follow();
    if (!switches_.empty()) {
        Switch& around = switches_.back();
        around.labels.push_back(node);
        connect(around.dispatch, current);
        beginSide(around.node, around.node->child(ast::Switch::condition));
    }
    statement(node->child(node->is<ast::Default>() ? +ast::Default::body : +ast::Case::body));
}

int FlowGraphBuilder::labelled(std::string_view name) {
    const auto [place, isNew] = labels_.try_emplace(name, nowhere);
    if (isNew) place->second = newBlock();
    return place->second;
}

void FlowGraphBuilder::label(NodePtr node) {
    const int there = labelled(node->child(ast::Label::name)->text());
    connect(current, there);
    current = there;
    statement(node->child(ast::Label::body));
}

const FlowGraphBuilder::Target* FlowGraphBuilder::targetOf(bool isContinue) const {
    for (auto each = targets_.rbegin(); each != targets_.rend(); ++each)
        if (!isContinue || !each->construct->is<ast::Switch>()) return &*each;
    return nullptr;
}

void FlowGraphBuilder::jump(NodePtr node) {
    const bool isContinue = node->is<ast::Continue>();
    const Target* target = isContinue || node->is<ast::Break>() ? targetOf(isContinue) : nullptr;
    leave(node, target);
    if (node->is<ast::Return>())
        connect(current, exit);
    else if (node->is<ast::Goto>())
        connect(current, labelled(node->child(ast::Goto::target)->text()));
    else if (target)
        connect(current, isContinue ? target->atContinue : target->atBreak);
    current = nowhere;
}

void FlowGraphBuilder::tryStatement(NodePtr node) {
    tryBlock(node->child(ast::Try::body), node->child(ast::Try::handlers));
}

void FlowGraphBuilder::tryBlock(NodePtr body, NodePtr handlers) {
    const int before = here(), first = follow();
    guarded(body);
    const int after = newBlock();
    connect(current, after);
    for (const NodePtr handler : handlers->children()) {
        if (!ast::is<ast::Handler>(handler)) continue;
        current = newBlock();
        connect(before, current);
        beginHandler(handler, first, after);
        statement(handler->child(ast::Handler::body));
        connect(current, after);
    }
    current = after;
}

}  // namespace hpcc::analysis
