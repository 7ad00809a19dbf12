// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <variant>

#include "regions/body.hpp"

namespace hpcc::regions {

// A loop of which each process runs the iterations of its own elements.
struct Division {
    NodePtr loop = nullptr;
    analysis::CountingLoop counting;
    Body body;
    long anchor = 0;  // iteration i belongs to the element i + anchor,
    // and changes others before the next multiple of `step`; so far behind one is its element.
    struct Grouped {
        long step = 1, begin = 0;
    } grouped;
    // How many elements beyond the own ones are read of an array, below and above.
    std::map<const DividedArray*, std::pair<long, long>> views;
    std::map<const DividedArray*, std::set<std::string>> lines;  // other locations that are read
    std::set<const DividedArray*> along;           // that it accesses at constant distances
    std::set<const DividedArray*> changed, whole;  // of the latter all elements may be read
    bool isPromised = false;                       // independence is more than rule 5 finds

    const Symbol* variable() const { return counting.name->symbol; }
    bool isGrouped() const { return grouped.step > 1; }
    // The element at this distance from that of an iteration belongs to it, too.
    bool isOwn(long distance) const {
        return -grouped.begin <= distance && distance < grouped.step - grouped.begin;
    }
    // It is reached by its own name, rather than through the part.
    bool isInPlace(const DividedArray* array) const { return isGrouped() || array->isInPlace(); }
};

// Why it cannot be divided; no place if it is nothing that could have been meant.
struct Whole {
    NodePtr place = nullptr;
    std::string reason;
};

struct Wanted {
    NodePtr function = nullptr;
    const Arrays& arrays;
    const Operations& operations;  // of reduce, around the loop
    bool isPromised = false;       // [[hpspmd::overall]]
};

std::variant<Division, Whole> decide(NodePtr forStatement, const Wanted& wanted);

// c of i + c; nothing for anything else.
std::optional<long> shiftOf(NodePtr subscript, const Symbol* variable);

// Does the variable count loops, and nothing else? Then its value behind one is never read.
bool onlyCounts(const Symbol* variable, NodePtr function);

}  // namespace hpcc::regions
