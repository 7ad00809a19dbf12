// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 7 for one function or lambda: where the ghost cells that it reads are stale.
#pragma once

#include "check/halo/state.hpp"
#include "check/rules.hpp"

namespace hpcc::check::halo {

struct Finding {
    Id id;
    NodePtr place;              // the access, or the argument of a call
    NodePtr statement;          // that a writeHalo can stand before
    NodePtr write = nullptr;    // what made the cells stale
    NodePtr read = nullptr;     // of an argument: the access in the function that is called
    NodePtr array = nullptr;    // the handle
    int wanted = 0, given = 0;  // ghost cells
    bool isDoubted = false;     // perhaps `write` changes nothing
};

// What a call does to one array that is reached through a parameter, a field or a captured name.
struct Effect {
    static constexpr std::size_t itself = static_cast<std::size_t>(-1);
    static constexpr std::size_t unknown = itself - 1;

    Path path;        // its root: the parameter, field or variable
    Freshness after;  // "initial" stands for what the caller knows
    bool isEscaped = false;
    std::size_t names = itself;  // which array the handle names at the end: another effect's
    NodePtr read = nullptr;      // reads cells that it has not refreshed,
    bool isReadForCertain = false;
    Freshness wanted;  // as many as `floor`
};

struct Summary {
    std::vector<Effect> effects;
    bool reachesUnknown = false;  // calls functions out of sight, or writes what they may name
};

struct Result {
    bool isKnown = false;  // false: too involved to be followed
    std::vector<Finding> findings;
    Summary summary;
};

class Results;

Result analyse(NodePtr function, Results& results);

}  // namespace hpcc::check::halo
