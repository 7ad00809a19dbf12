// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the analysis of one function says to its callers, and to its reader.
#pragma once

#include "check/alignment/source.hpp"
#include "diagnostics/id.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hpcc::check::alignment {

using diagnostics::Id;

// The collective that a call leads to.
struct Collective {
    NodePtr place = nullptr;  // null: there is none
    std::string name;         // "Adlib::sum"
    bool isSure = true;       // not if the call may run another function
};

// One thing to be reported.
struct Finding {
    Id id;
    NodePtr place;
    std::string name;         // of the collective
    NodePtr cause = nullptr;  // the condition, jump, or construct
    Source source;            // what differs
    std::string argument;     // of a call
    std::string function;
    Collective inner;  // in the function called
};

// What a function makes of a value.
struct Outcome {
    Coherence on;         // parameters that it depends on, by position
    Source source;        // why it differs besides, if place is set
    bool isSure = false;  // on every path
};

struct Summary {
    bool isKnown = false;   // the body is in sight
    Collective collective;  // the first one that it reaches
    Outcome result;
    std::map<std::string_view, Outcome> resultParts;  // of an object that is returned (values.hpp)
    Coherence decisive;  // parameters that decide whether a collective is reached
    Collective decided;  // that collective
    // Parameters by reference, and parts of them (values.hpp).
    std::map<std::pair<std::size_t, std::string_view>, Outcome> changed;
    std::map<std::size_t, Collective> given;  // arrays handed on to a collective

    std::vector<Finding> findings;
};

}  // namespace hpcc::check::alignment
