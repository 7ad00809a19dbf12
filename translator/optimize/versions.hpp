// Static single assignment form as a side table: which value of a variable reaches a point.
#pragma once

#include <unordered_map>
#include <vector>

#include "optimize/dominators.hpp"

namespace hpcc::optimize {

/// Every assignment makes a new version of its variable, and so does a block where different
/// versions meet (there SSA form writes a phi function). Versions of variables that are assigned
/// once are all 0: their declaration is their only value.
class Versions {
public:
    explicit Versions(const FlowGraph& graph);

    /// The version of a variable before step `step` of `block`; -1 if the block is not reached.
    int at(int block, int step, int variable) const;
    int at(const Place& place, int variable) const { return at(place.block, place.step, variable); }

    /// Do all these variables have the same values before `place` as before the step, and are they
    /// declared there?
    bool sameBefore(int place, int block, int step, const std::vector<int>& variables) const;

    bool isReached(int block) const { return dominators_.isReached(block); }
    /// Blocks that start with a phi function for the variable.
    std::vector<int> phis(int variable) const;

private:
    struct Definition {
        int step;
        int version;
    };
    struct Row {                                              // one variable
        std::vector<int> entry;                               // version at the start of each block
        std::unordered_map<int, std::vector<Definition>> in;  // by block
        std::vector<int> phis;
    };

    void place(Row& row);
    void number(Row& row, std::vector<int>& exit);

    const FlowGraph& graph_;
    Dominators dominators_;
    std::unordered_map<int, Row> rows_;
};

}  // namespace hpcc::optimize
