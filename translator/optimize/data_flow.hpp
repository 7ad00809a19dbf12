// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The solver of data-flow problems: what holds at each point of a flow graph, on some way or on
// all ways that lead there, or that lead on from there.
#pragma once

#include <functional>
#include <vector>

#include <boost/dynamic_bitset.hpp>

#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

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
DataFlow solve(const std::vector<Block>& blocks, const DataFlowProblem& problem);

}  // namespace hpcc::optimize
