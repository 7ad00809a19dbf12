// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
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
    ArrayMap<std::pair<long, long>> views;
    ArraySet named;                         // of these, what it reads by their names, within views
    ArrayMap<std::set<std::string>> lines;  // other locations that are read
    ArraySet along;                         // that it accesses at constant distances
    ArraySet changed, whole;                // of the latter all elements may be read
    bool isPromised = false;                // independence is more than rule 5 finds
    // Of these only a promise says that no iteration reads what another one changes.
    ArraySet unproven;
    // The loops in it that run over further dimensions of the arrays.
    std::vector<Division> further;
    ArraySet aslant;  // of which it reads elements that are beyond own ones in
                      // two dimensions

    // The loop over the k-th dimension that is divided.
    const Division& at(std::size_t k) const { return k == 0 ? *this : further[k - 1]; }
    const Division& innermost() const { return further.empty() ? *this : further.back(); }
    const Symbol* variable() const { return counting.name->symbol; }
    bool isGrouped() const { return grouped.step > 1; }
    // The element at this distance from that of an iteration belongs to it, too.
    bool isOwn(long distance) const {
        return -grouped.begin <= distance && distance < grouped.step - grouped.begin;
    }
    // Rule 5 looks at what nests do with parts only.
    bool isAsserted() const {
        return (isPromised || std::ranges::any_of(further, &Division::isPromised)) &&
               std::ranges::any_of(changed,
                                   [this](const DividedArray* array) { return !isInPlace(array); });
    }
    // It is reached by its own name, rather than through the part.
    bool isInPlace(const DividedArray* array) const { return isGrouped() || array->isInPlace(); }
};

// Why it cannot be divided; no place if it is nothing that could have been meant.
struct Whole {
    NodePtr place = nullptr;
    std::string reason;
    // The place is the use of a variable that `reduce` names, otherwise than by its operation;
    // there is no other reason.
    const Symbol* misused = nullptr;
    // The variable of another loop of the nest, by which it changes elements of this array, too.
    const Symbol* rival = nullptr;
    const DividedArray* array = nullptr;
    // The place reads the array so far away, against the promise of its view.
    std::optional<long> tooFar = std::nullopt;
    std::string help = {};  // what to write instead, if that is known
};

std::variant<Division, Whole> decide(NodePtr forStatement, const Wanted& wanted);

// Of a loop over the first of so many further dimensions: why the loops in it do not divide those.
std::optional<Whole> divideFurther(Division& division, const Wanted& wanted,
                                   std::size_t dimensions);

// for (..), without the body
source::Span headOf(NodePtr loop);

// c of i + c; nothing for anything else.
std::optional<long> shiftOf(NodePtr subscript, const Symbol* variable);

// True if the variable counts loops, and nothing else. Then its value behind one is never read.
bool onlyCounts(const Symbol* variable, NodePtr function);

// Perhaps from a number below 0 upwards to an unsigned bound: such a number is large as an unsigned
// one, so that no iteration runs.
bool maySkipAll(const analysis::CountingLoop& loop);

}  // namespace hpcc::regions
