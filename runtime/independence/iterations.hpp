// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Iterations of a nest, and the accesses that they make, as Independence compares them.

#include <hpspmd/where.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hpspmd::detail {

/// One `overall` round an access, and the location that it is at.
struct Level {
    Index run;             ///< which of those directly inside the iteration round it
    Index index;           ///< global
    bool isDistributed;    ///< over a process dimension
    std::string variable;  ///< the name of its index
};

/// From the outermost `overall` to the innermost.
using Iteration = std::vector<Level>;

/// May they run at the same time, or in different processes, so that neither may need the other?
bool areApart(const Iteration& a, const Iteration& b);

/// i` = 3, j` = 4
std::string describe(const Iteration& iteration);

/// What is reached of an element: the bytes begin .. begin + size of it, and of these the member
/// that `part` names.
struct Reached {
    std::size_t begin, size;
    std::string part;
    bool operator==(const Reached& other) const {
        return begin == other.begin && size == other.size && part == other.part;
    }
};

/// Do they surely share something?
bool overlap(const Reached& a, const Reached& b);

struct Access {
    Iteration iteration;
    Reached reached;
    bool writes;
    std::string array;
    int line;
};

/// Does the one access keep the other from running at the same time?
bool depend(const Access& a, const Access& b);

/// The accesses to one element: each write, and of the reads as many as it takes to know whether
/// another iteration reads.
class ElementAccesses {
public:
    /// An earlier access on which this one depends, or which depends on it; else null.
    const Access* add(Access access);
    const std::vector<Access>& all() const { return all_; }

private:
    bool isKnown(const Access& access) const;
    std::vector<Access> all_;
};

}  // namespace hpspmd::detail
