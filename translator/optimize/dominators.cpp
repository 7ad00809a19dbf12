// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/dominators.hpp"

namespace hpcc::optimize {
Dominators::Dominators(const FlowGraph& graph)
    : order_(reversePostorder(graph.blocks())),
      position_(graph.blocks().size(), -1),
      immediate_(graph.blocks().size(), -1),
      frontiers_(graph.blocks().size()) {
    for (size_t k = 0; k < order_.size(); ++k)
        position_[static_cast<size_t>(order_[k])] = static_cast<int>(k);
    immediate_[static_cast<size_t>(graph.entry())] = graph.entry();
    for (bool changed = true; changed;) {
        changed = false;
        for (const int block : order_) {
            if (block == graph.entry()) continue;
            int closest = -1;
            for (const int before : graph.blocks()[static_cast<size_t>(block)].predecessors)
                if (immediate(before) >= 0) closest = closest < 0 ? before : meet(closest, before);
            if (closest == immediate(block)) continue;
            immediate_[static_cast<size_t>(block)] = closest;
            changed = true;
        }
    }
    for (const int block : order_) {
        const auto& predecessors = graph.blocks()[static_cast<size_t>(block)].predecessors;
        if (predecessors.size() < 2) continue;
        for (int before : predecessors) {
            if (!isReached(before)) continue;
            for (; before != immediate(block); before = immediate(before)) {
                auto& frontier = frontiers_[static_cast<size_t>(before)];
                if (!frontier.empty() && frontier.back() == block) break;  // so do those above
                frontier.push_back(block);
                if (before == graph.entry()) break;
            }
        }
    }
}

int Dominators::meet(int a, int b) const {
    while (a != b) {
        while (position_[static_cast<size_t>(a)] > position_[static_cast<size_t>(b)])
            a = immediate(a);
        while (position_[static_cast<size_t>(b)] > position_[static_cast<size_t>(a)])
            b = immediate(b);
    }
    return a;
}

bool Dominators::dominates(int block, int other) const {
    while (position_[static_cast<size_t>(other)] > position_[static_cast<size_t>(block)])
        other = immediate(other);
    return other == block;
}

}  // namespace hpcc::optimize
