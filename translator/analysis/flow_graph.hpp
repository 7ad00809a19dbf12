// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow graph of one function body: blocks of steps that run one after the other. What a step
// is, its client says.
#pragma once

#include <algorithm>
#include <vector>

#include <boost/container/small_vector.hpp>

namespace hpcc::analysis {

/// Numbers of blocks; mostly one or two.
using Links = boost::container::small_vector<int, 2>;

/// Block 0 is the entry.
template <class Step>
struct Block {
    std::vector<Step> steps;
    Links successors;
    Links predecessors;
};

/// Writes down for each block which ones lead to it.
template <class Step>
void linkBack(std::vector<Block<Step>>& blocks) {
    for (size_t from = 0; from < blocks.size(); ++from)
        for (const int to : blocks[from].successors)
            blocks[static_cast<size_t>(to)].predecessors.push_back(static_cast<int>(from));
}

/// The blocks that are reached from the first one, each before its successors but for loops.
template <class Step>
std::vector<int> reversePostorder(const std::vector<Block<Step>>& blocks) {
    std::vector<int> order;
    order.reserve(blocks.size());
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

}  // namespace hpcc::analysis
