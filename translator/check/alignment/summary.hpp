// What the analysis of one function says to its callers, and to its reader.
#pragma once

#include "check/alignment/source.hpp"
#include "diagnostics/id.hpp"

#include <map>
#include <string>
#include <vector>

namespace hpcc::check::alignment {

using diagnostics::Id;

// The collective that a call leads to.
struct Collective {
    NodePtr place = nullptr;  // null: there is none
    std::string name;         // "Adlib::sum"
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

struct Summary {
    bool isKnown = false;       // the body is in sight
    Collective collective;      // the first one that it reaches
    Source result;              // why its result differs, if place is set
    Coherence resultDependsOn;  // on which parameters, by position
    Coherence decisive;         // parameters that decide whether a collective is reached
    Collective decided;         // that collective
    std::map<std::size_t, Coherence> changed;  // parameters by reference: what they depend on then
    std::map<std::size_t, Source> differing;   // ... and why they differ
    std::map<std::size_t, Collective> given;   // arrays handed on to a collective

    std::vector<Finding> findings;
};

}  // namespace hpcc::check::alignment
