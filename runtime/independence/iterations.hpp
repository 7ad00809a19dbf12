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
    std::string variable;  ///< its index, as messages call it: "i`"
};

/// From the outermost `overall` to the innermost.
using Iteration = std::vector<Level>;

/// True if they may run at the same time, or in different processes, so that neither may need the
/// other.
bool areApart(const Iteration& a, const Iteration& b);

/// i` = 3, j` = 4
std::string describe(const Iteration& iteration);

/// What is reached of an element: the bytes begin .. begin + size of it, and of these the member
/// that `part` names.
struct ElementPart {
    std::size_t begin, size;
    std::string part;
    bool operator==(const ElementPart& other) const {
        return begin == other.begin && size == other.size && part == other.part;
    }
};

/// True if they surely share something.
bool overlap(const ElementPart& a, const ElementPart& b);

struct Access {
    Iteration iteration;
    ElementPart reached;
    bool writes;
    std::string array;
    int line;
    Index part = -1;  ///< of a strategy, which counts instead of the iteration; -1 if none does
};

/// True if the one access keeps the other from running at the same time.
bool depend(const Access& a, const Access& b);

/// The accesses to one element: each write, and of the reads as many as it takes to know whether
/// another iteration reads.
class ElementAccesses {
public:
    /// An earlier access on which this one depends, or which depends on it; else null.
    const Access* add(Access access);
    const std::vector<Access>& all() const { return all_; }
    /// It is one of the array of that number: those of an earlier one in its memory are gone.
    void belongTo(std::size_t array) {
        if (array_ != array) all_.clear();
        array_ = array;
    }

private:
    std::size_t array_ = 0;
    bool isKnown(const Access& access) const;
    std::vector<Access> all_;
};

}  // namespace hpspmd::detail
