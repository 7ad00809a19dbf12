// A pass works on one body of a function after the other.
#pragma once

#include <deque>

#include "optimize/edits.hpp"
#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

/// The function with the edits that `Work(function, graph, edits, rest..).run()` makes to each of
/// its bodies that holds no C++ that is not looked into.
template <class Work, class... Rest>
NodePtr improveBodies(Function& function, const Rest&... rest) {
    Edits edits(function);
    std::deque<FlowGraph> graphs;
    std::deque<Work> works;  // which edits ask while they are made
    for (const NodePtr body : function.names().bodies()) {
        const FlowGraph& graph = graphs.emplace_back(function.names(), body);
        if (graph.isKnown())
            works.emplace_back(function, graph, edits, rest...).run();
        else
            function.leave(body);
    }
    return edits.apply();
}

}  // namespace hpcc::optimize
