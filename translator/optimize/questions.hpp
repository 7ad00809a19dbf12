// Which ranges and arrays are known to be no null handles, because they have answered before.
#pragma once

#include <unordered_map>
#include <vector>

#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

class Questions {
public:
    explicit Questions(const FlowGraph& graph) : graph_(graph) {}

    /// Has every one of these constant variables answered a question whenever control stands before
    /// `place`? Never, for -1.
    bool haveAnswers(const std::vector<int>& variables, int place) const;

private:
    void collect() const;
    bool precedes(int answer, int place) const;

    const FlowGraph& graph_;
    mutable bool isCollected_ = false;                           // when first needed
    mutable std::unordered_map<int, std::vector<int>> answers_;  // by variable: places
};

}  // namespace hpcc::optimize
