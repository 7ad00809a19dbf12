// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/flow_graph.hpp"

#include <algorithm>

#include "ast/symbol.hpp"
#include "ast/type.hpp"
#include "optimize/flow_graph_builder.hpp"

namespace hpcc::optimize {

std::vector<int> reversePostorder(const std::vector<Block>& blocks) {
    std::vector<int> order;
    std::vector<size_t> next(blocks.size(), 0);
    std::vector<bool> seen(blocks.size(), false);
    std::vector<int> stack{0};
    seen[0] = true;
    while (!stack.empty()) {
        const auto block = static_cast<size_t>(stack.back());
        if (next[block] == blocks[block].successors.size()) {
            order.push_back(stack.back());
            stack.pop_back();
            continue;
        }
        const int successor = blocks[block].successors[next[block]++];
        if (seen[static_cast<size_t>(successor)]) continue;
        seen[static_cast<size_t>(successor)] = true;
        stack.push_back(successor);
    }
    std::ranges::reverse(order);
    return order;
}

FlowGraph::FlowGraph(const Names& names, NodePtr body)
    : names_(names),
      body_(names.bodyOf(body)),
      homes_(static_cast<size_t>(names.size()) + firstVariable) {
    FlowGraphBuilder(*this).build(body);
}

int FlowGraph::loopAround(int place) const {
    int inner = place;
    for (int outer = this->place(inner).parent; outer >= 0; outer = this->place(inner).parent) {
        if (this->place(inner).edge == Edge::Loop) return outer;
        inner = outer;
    }
    return -1;
}

FlowGraph::Home FlowGraph::homeOf(int variable) const {
    return homes_[static_cast<size_t>(variable)];
}

bool FlowGraph::isDeclaredBefore(int variable, int place) const {
    const Home home = homeOf(variable);
    if (home.place < 0) return true;
    if (home.inHead) return place > home.place && isInside(place, home.place);
    const int scope = this->place(home.place).parent;
    return place >= this->place(home.place).end && (scope < 0 || isInside(place, scope));
}

int FlowGraph::variableOf(NodePtr identifier) const {
    const int variable = names_.find(identifier);
    const bool own = variable >= 0 && !names_[variable].escapes &&
                     (names_[variable].body == body_ || names_[variable].isConstant());
    if (own) return variable + firstVariable;
    const ast::Type* type = identifier->type;
    if (!type && identifier->symbol) type = identifier->symbol->type;
    return ast::isHandleType(type) ? outsideHandles : outsideValues;
}

bool FlowGraph::isConstant(int variable) const {
    return names_[variable - firstVariable].isConstant();
}

}  // namespace hpcc::optimize
