// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes values differ between processes.
#pragma once

#include "check/facts.hpp"

#include <bitset>
#include <string>
#include <vector>

namespace hpcc::check::alignment {

// At most this many sources are followed in one function; what further ones taint is not judged.
inline constexpr std::size_t mostSources = 96;

using SourceSet = std::bitset<mostSources>;

// The coherence of a value: the sources that it depends on. None: coherent, or not known to be
// anything else. What is computed from two values is `|` of them.
struct Coherence {
    SourceSet perhaps;  // on some path
    SourceSet surely;   // on every path: some of `perhaps`

    static Coherence from(std::size_t source) {
        const SourceSet only = SourceSet().set(source);
        return {only, only};
    }
    bool none() const { return perhaps.none(); }
    bool any() const { return perhaps.any(); }
    bool operator==(const Coherence&) const = default;
    Coherence& operator|=(const Coherence& other) {
        perhaps |= other.perhaps;
        surely |= other.surely;
        return *this;
    }
    // Of a part of the value, or of something that may be this value.
    Coherence weakened() const { return {perhaps, {}}; }
};

inline Coherence operator|(Coherence one, const Coherence& other) { return one |= other; }

// Where two paths meet. If the sources `divided` decide which one a process takes, then a value
// that depends on them on one path differs.
inline Coherence meet(const Coherence& one, const Coherence& other, const SourceSet& divided) {
    const SourceSet both = one.surely & other.surely;
    return {one.perhaps | other.perhaps, both | ((one.surely | other.surely) & divided)};
}

// One place of the program where processes begin to differ, `p.rank()` say, or a parameter of the
// function, of which only the caller knows.
//
//     p.dim(0).crd()     along {dimension 0 of p}
//     Procs1 p(4); on (p) n = 1;     n afterwards: members = p
//     clock()            isEverywhere
struct Source {
    NodePtr place = nullptr;
    std::string reason;               // "'p.rank()' is another number in each process"
    std::vector<RangeFacts> along;    // differs along these process dimensions
    const Symbol* members = nullptr;  // differs between the members of this grid and the others
    bool isEverywhere = false;        // differs between any two processes
    bool isParameter = false;

    // In the body of the function whose result it is.
    NodePtr origin = nullptr;
    std::string originReason;

    static Source everywhere(NodePtr place, std::string reason) {
        Source made;
        made.place = place;
        made.reason = std::move(reason);
        made.isEverywhere = true;
        return made;
    }
};

}  // namespace hpcc::check::alignment
