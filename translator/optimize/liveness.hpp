// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables may still be read.
#pragma once

#include <functional>

#include "analysis/data_flow.hpp"
#include "optimize/flow_graph.hpp"

namespace hpcc::optimize {

using analysis::DataFlow;
using analysis::Facts;

/// A variable of Names, numbered as in the flow graph, where a step names it.
struct Mention {
    int variable = 0;
    NodePtr node = nullptr;
    bool isRead = true;  // not only assigned, as `k` in `k = n`
};

/// Of the step itself, not of the bodies of lambdas that it makes.
void forEachMention(const FlowGraph& graph, const Step& step,
                    const std::function<void(const Mention&)>& visit);

/// A variable is live where some way leads to a read of it without assigning it before. Variables
/// that other code may read unseen, because their address is taken or a lambda names them, are
/// live everywhere. No way leads on from where control never comes.
///
///     Index at = a_at_i;
///     for (..; ++k, at += s)     // not live behind `at += s`, which is never reached
///         return a_data[at];     // live before
class Liveness {
public:
    /// Of the steps that `mayGo` picks, each assigns one variable and does nothing else. Where that
    /// variable is not live behind the step, nothing counts that the step reads: so a variable that
    /// is only moved on is not live (faint variables).
    Liveness(const FlowGraph& graph, const std::function<bool(const Step&)>& mayGo);

    /// Visits the steps of a block from the last to the first, with what is live behind each.
    void sweep(int block, const std::function<void(int step, const Facts& live)>& visit) const;

private:
    struct Effect {
        int target = -1;  // of a step that may go
        Variables kills;  // assigned for certain
        Variables reads;
    };

    void collect(const FlowGraph& graph, const std::function<bool(const Step&)>& mayGo);
    void apply(const Effect& effect, Facts& live) const;

    std::vector<std::vector<Effect>> effects_;  // by block and step
    Facts pinned_;                              // live everywhere
    DataFlow flow_;
};

}  // namespace hpcc::optimize
