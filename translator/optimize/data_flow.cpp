// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/data_flow.hpp"

#include <algorithm>

namespace hpcc::optimize {
DataFlow solve(const std::vector<Block>& blocks, const DataFlowProblem& problem) {
    const bool isForward = problem.direction == Direction::Forward;
    Facts neutral(problem.boundary.size());
    if (problem.meet == Meet::Intersection) neutral.set();
    DataFlow flow{std::vector(blocks.size(), neutral), std::vector(blocks.size(), neutral)};
    std::vector<Facts>& arriving = isForward ? flow.before : flow.behind;
    std::vector<Facts>& leaving = isForward ? flow.behind : flow.before;

    std::vector<int> order = reversePostorder(blocks);
    if (!isForward) std::ranges::reverse(order);
    std::vector<bool> isWaiting(blocks.size(), true);
    Facts facts;
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (const int number : order) {
            const auto block = static_cast<size_t>(number);
            if (!isWaiting[block]) continue;
            isWaiting[block] = false;
            const auto& sources = isForward ? blocks[block].predecessors : blocks[block].successors;
            const auto& targets = isForward ? blocks[block].successors : blocks[block].predecessors;
            facts = neutral;
            const auto meet = [&](const Facts& other) {
                if (problem.meet == Meet::Union)
                    facts |= other;
                else
                    facts &= other;
            };
            if (isForward ? block == 0 : sources.empty()) meet(problem.boundary);
            for (const int source : sources) meet(leaving[static_cast<size_t>(source)]);
            arriving[block] = facts;
            problem.transfer(number, facts);
            if (facts == leaving[block]) continue;
            leaving[block].swap(facts);
            for (const int target : targets) isWaiting[static_cast<size_t>(target)] = true;
            isChanged = true;
        }
    }
    return flow;
}

}  // namespace hpcc::optimize
