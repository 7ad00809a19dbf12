// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a flow graph from the statements of a body.
#pragma once

#include <string_view>
#include <unordered_map>

#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

class FlowGraphBuilder {
public:
    explicit FlowGraphBuilder(FlowGraph& graph) : graph_(graph) {}

    void build(NodePtr body);

private:
    struct Targets {
        int atBreak = -1;
        int atContinue = -1;
        int loop = -1;  // the place that a jump stays in
    };

    void statement(NodePtr node, int parent, Edge edge);
    void list(NodePtr node, int place, bool isSwitch);
    void declaration(NodePtr node, int place);
    void ifStatement(NodePtr node, int place);
    void forStatement(NodePtr node, int place);
    void rangeFor(NodePtr node, int place);
    void whileStatement(NodePtr node, int place);
    void doWhile(NodePtr node, int place);
    void switchStatement(NodePtr node, int place);
    void tryStatement(NodePtr node, int place);
    void label(NodePtr node, int place);
    void caseLabel(NodePtr body, int place);
    void jumpTo(int target, int place, int within = -1);
    void loopBody(NodePtr body, int place, Targets targets);

    /// Parts of a statement's head: a declaration or an expression, evaluated at `place`.
    void head(NodePtr part, int place, bool repeated);
    void step(NodePtr node, int place, bool repeated);
    void declare(NodePtr declaration, int place, bool inHead);

    int newPlace(NodePtr node, int parent, Edge edge);
    int newBlock();
    void startBlock();
    bool isSeenByHandler(int variable, NodePtr step) const;
    void connect(int from, int to);
    void markJump(int place, int within);

    FlowGraph& graph_;
    int current_ = 0;  // block being filled
    Targets targets_;
    int switchHead_ = -1;
    bool sawDefault_ = false;
    bool hasLabels_ = false;
    int tryBody_ = -1;  // the place of the innermost body of a try around
    std::unordered_map<std::string_view, int> labels_;
};

}  // namespace hpcc::optimize
