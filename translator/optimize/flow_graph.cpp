// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/flow_graph.hpp"

#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::optimize {

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
