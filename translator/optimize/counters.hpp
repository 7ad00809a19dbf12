// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Induction variables: counters of loops, and the distributed indices that follow them.
#pragma once

#include <optional>

#include "optimize/linear.hpp"
#include "optimize/versions.hpp"

namespace hpcc::optimize {

/// `for (Index k = first; ..; k += step)` whose body leaves k alone.
struct Counter {
    int loop = 0;      // place
    int variable = 0;  // as FlowGraph::variableOf
    NodePtr first = nullptr;
    long step = 1;
};

/// `const hpspmd::DistributedIndex i(x, block, k + offset)` in the loop of counter k: i.sub and
/// i.global advance evenly.
struct FollowingIndex {
    int counter = 0;  // among Counters
    int variable = 0;
    NodePtr block = nullptr;  // a name
    long offset = 0;
    NodePtr declaration = nullptr;  // the statement
};

class Counters {
public:
    explicit Counters(const FlowGraph& graph);

    const std::vector<Counter>& counters() const { return counters_; }
    const std::vector<FollowingIndex>& indices() const { return indices_; }
    const Counter* counterOf(int variable) const;
    const FollowingIndex* indexOf(int variable) const;

private:
    void addCounter(const FlowGraph& graph, int place);
    void addIndex(const FlowGraph& graph, int place);

    std::vector<Counter> counters_;
    std::vector<FollowingIndex> indices_;
};

/// True if it is a declaration of one variable of that class of the runtime.
bool declaresClass(NodePtr statement, std::string_view name);

}  // namespace hpcc::optimize
