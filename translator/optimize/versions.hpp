// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static single assignment form as a side table: which value of a variable reaches a point.
#pragma once

#include <span>
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
    /// The versions of several.
    Variables at(int block, int step, const Variables& variables) const;
    int at(const Place& place, int variable) const { return at(place.block, place.step, variable); }

    /// True if all these variables have the same values before `place` as before the step, and are
    /// declared there.
    bool sameBefore(int place, int block, int step, const Variables& variables) const;

    bool isReached(int block) const { return dominators_.isReached(block); }
    /// True if all ways to the point before step `toStep` of block `to` lead over that place.
    bool dominates(const Place& place, int to, int toStep) const {
        return place.block == to ? place.step <= toStep : dominators_.dominates(place.block, to);
    }
    /// Blocks that start with a phi function for the variable.
    Links phis(int variable) const;

private:
    struct Definition {
        int position;  // of the block, as in Dominators
        int step;
        int version;
    };
    struct Row {                                           // one variable
        boost::container::small_vector<Definition, 2> in;  // in the order of blocks and steps
        Links phis;
    };

    Row& rowOf(int variable);
    /// Versions at the start of each block.
    std::span<int> entriesOf(size_t row) {
        return std::span(entries_).subspan(row * graph_.blocks().size(), graph_.blocks().size());
    }
    void place(Row& row, std::vector<bool>& has) const;
    void number(Row& row, std::span<int> entry, std::vector<int>& exit) const;

    const FlowGraph& graph_;
    Dominators dominators_;
    std::vector<int> rowNumbers_;  // by variable, -1: none
    std::vector<Row> rows_;
    std::vector<int> entries_;  // by row and block
};

}  // namespace hpcc::optimize
