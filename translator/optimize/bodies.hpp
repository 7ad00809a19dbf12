// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass works on one body of a function after the other.
#pragma once

#include <deque>

#include "optimize/edits.hpp"
#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

/// The function with the edits that `Work(function, graph, edits, rest..).run()` makes to each of
/// its bodies that it concerns and that holds no C++ that is not looked into.
template <class Work, class... Rest>
NodePtr improveBodies(Function& function, const Rest&... rest) {
    Edits edits(function);
    std::deque<FlowGraph> graphs;
    std::deque<Work> works;  // which edits ask while they are made
    for (const Body& body : function.names().bodies()) {
        if (body.isOpaque) {
            function.leave(body.node);
        } else if (Work::concerns(body)) {
            const FlowGraph& graph = graphs.emplace_back(function.names(), body.node);
            works.emplace_back(function, graph, edits, rest...).run();
        }
    }
    return edits.apply();
}

}  // namespace hpcc::optimize
