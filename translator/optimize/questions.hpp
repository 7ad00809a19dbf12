// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ranges and arrays are known to be no null handles, because they have answered before.
#pragma once

#include <optional>

#include "analysis/data_flow.hpp"
#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

using analysis::DataFlow;
using analysis::Facts;

class Questions {
public:
    explicit Questions(const FlowGraph& graph) : graph_(graph) {}

    /// True if every one of these constant variables has answered a question whenever control
    /// stands before `place`. False if one of them is -1.
    bool haveAnswers(const Variables& variables, int place) const;

private:
    void collect() const;

    const FlowGraph& graph_;
    // When first needed:
    mutable std::vector<std::vector<std::vector<int>>> asked_;  // by block and step: variables
    mutable std::optional<DataFlow> flow_;                      // who has answered on all ways
};

}  // namespace hpcc::optimize
