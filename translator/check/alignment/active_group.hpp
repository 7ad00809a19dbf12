// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The active process group at a place, as far as the text of the function shows it.
#pragma once

#include "check/alignment/source.hpp"

#include <vector>

namespace hpcc::check::alignment {

// Procs1, Procs2 ..: the number of process dimensions; -1 for groups of other types.
int gridRank(const Symbol* group);

// Procs2 p(2, 3), Procs0 p: there may be processes that are not its members.
bool mayHaveOutsiders(const Symbol* grid);

// The range whose location an expression names: x[n], x.location(n), an index; null for others.
NodePtr rangeOfLocation(NodePtr location);

class ActiveGroup {
public:
    // `construct` is the statement; `group` may be null (not a variable).
    void enterOn(NodePtr construct, const Symbol* group);
    void enterLocation(NodePtr construct, const RangeFacts& dimension);

    std::size_t depth() const { return frames_.size(); }
    void leaveTo(std::size_t depth) { frames_.resize(depth); }

    // Whether two processes of the group differ by this source for certain, parameters apart.
    bool differsBy(const Source& source) const;

    // Inside an `at` or `overall` of this function.
    bool isRestricted() const;

    // The `at` or `overall` around this place that has fixed a dimension which the array's group
    // has for certain, so that its processes are not all here; null if there is none.
    NodePtr constructThatExcludes(NodePtr array) const;

private:
    struct Frame {
        NodePtr construct;
        bool isOn;
        const Symbol* group;
        RangeFacts fixed;
    };
    bool isFree(const RangeFacts& dimension) const;
    bool hasSeveralProcesses() const;

    std::vector<Frame> frames_;
};

}  // namespace hpcc::check::alignment
