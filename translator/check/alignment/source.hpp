// What makes values differ between processes.
#pragma once

#include "check/facts.hpp"

#include <bitset>
#include <string>
#include <vector>

namespace hpcc::check::alignment {

// At most this many sources are followed in one function; what further ones taint is not judged.
inline constexpr std::size_t mostSources = 96;

// The coherence of a value: the sources that it depends on. No bit: coherent, or not known to be
// anything else. Joining two paths, or computing from two values, is `|`.
using Coherence = std::bitset<mostSources>;

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
};

}  // namespace hpcc::check::alignment
