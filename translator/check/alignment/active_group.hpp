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

    // An `at` or `overall` that has fixed a dimension of an array's group, so that not all of its
    // processes are active inside. It is certain if that is a dimension of a grid; another range
    // may be a CollapsedRange, which all processes hold.
    struct Exclusion {
        NodePtr construct = nullptr;
        bool isSure = false;
    };
    Exclusion exclusionOf(NodePtr array) const;  // construct is null if there is none

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
