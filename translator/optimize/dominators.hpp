// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dominators of a flow graph and their frontiers (Cooper, Harvey, Kennedy: A Simple, Fast
// Dominance Algorithm).
#pragma once

#include <vector>

#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

class Dominators {
public:
    explicit Dominators(const FlowGraph& graph);

    /// The closest block on all ways to `block`; the entry's is itself, -1 if it is not reached.
    int immediate(int block) const { return immediate_[static_cast<size_t>(block)]; }
    bool isReached(int block) const { return immediate(block) >= 0; }
    bool dominates(int block, int other) const;
    /// Where the reign of a block ends: it dominates a predecessor but not the block itself.
    const Links& frontier(int block) const { return frontiers_[static_cast<size_t>(block)]; }
    /// Reached blocks, each after its immediate dominator.
    const std::vector<int>& order() const { return order_; }
    /// Where a block stands there; -1 if it is not reached.
    int position(int block) const { return position_[static_cast<size_t>(block)]; }

private:
    int meet(int a, int b) const;

    std::vector<int> order_;     // reverse postorder
    std::vector<int> position_;  // of a block in it
    std::vector<int> immediate_;
    std::vector<Links> frontiers_;
};

}  // namespace hpcc::optimize
