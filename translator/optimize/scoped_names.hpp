// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names for temporaries: one name may serve in several scopes that do not meet.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "optimize/flow_graph.hpp"
#include "optimize/functions.hpp"

namespace hpcc::optimize {

class ScopedNames {
public:
    ScopedNames(Function& function, const FlowGraph& graph) : function_(function), graph_(graph) {}

    /// A name for a variable declared right before `place`.
    std::string before(int place, const std::string& wanted);
    /// True if a variable that moves from inside of the loop at `place` to right before it may keep
    /// its name. Variables inside of the loop may have the same.
    bool mayLeave(int place, const std::string& name) const;

private:
    struct Range {  // places begin .. end-1 of the body
        int begin = 0;
        int end = 0;
    };

    Range rangeOf(int variable) const;
    Range rangeBefore(int place) const;
    bool isFree(const std::string& name, Range wanted, Range except) const;

    Function& function_;
    const FlowGraph& graph_;
    std::map<std::string, std::vector<Range>> added_;  // by `before`
};

}  // namespace hpcc::optimize
