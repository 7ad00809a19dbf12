// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solver of data-flow problems: what holds at each point of a flow graph, on some way or on
// all ways that lead there, or that lead on from there.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include <boost/dynamic_bitset.hpp>

#include "analysis/flow_graph.hpp"

namespace hpcc::analysis {

/// A set of facts, by number.
using Facts = boost::dynamic_bitset<>;

enum class Direction { Forward, Backward };

/// Where ways meet, a fact holds if it does on one of them, or on all of them.
enum class Meet { Union, Intersection };

struct DataFlowProblem {
    Direction direction = Direction::Forward;
    Meet meet = Meet::Union;
    Facts boundary;  // what holds at the entry (Forward) or at each exit (Backward)
    /// What a block makes, in place, of the facts that reach it. Of more facts it makes no fewer.
    std::function<void(int block, Facts& facts)> transfer;
};

/// The facts at both ends of each block, in the order of control. Of a block that is not reached,
/// all ways hold everything, and none holds anything. A way need not have an end.
struct DataFlow {
    std::vector<Facts> before;
    std::vector<Facts> behind;
};

/// Time: edges x (how deep loops are nested + 2) x facts / 64, for graphs without goto.
template <class Step>
DataFlow solve(const std::vector<Block<Step>>& blocks, const DataFlowProblem& problem) {
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

}  // namespace hpcc::analysis
