// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What Independence knows of one nest.

#include "independence/iterations.hpp"

#include <hpspmd/independence.hpp>

#include <unordered_map>

namespace hpspmd::detail {

struct Independence::Notes {
    /// An `overall` under way.
    struct Run {
        std::string variable;
        Index number;       ///< of the runs directly inside the iteration round it
        Index inner = 0;    ///< runs begun inside its iteration
        bool runs = false;  ///< it has an iteration
        Index index = 0;
        bool isDistributed = false;
    };

    Where where;
    Independence* outer = nullptr;       ///< that the thread runs it in
    std::vector<const Storage*> arrays;  ///< which all processes know by their places here
    std::vector<PromisedArray> promised;
    std::vector<Run> runs;
    Index outermost = 0;  ///< runs of the outermost `overall`
    std::unordered_map<const std::byte*, ElementAccesses> elements;
    std::string found;  ///< what the first two accesses are that depend on one another, or
                        ///< which one reads beyond a view

    Iteration iteration() const;
    /// The access reaches an element of a promised array, which was found there.
    void add(const PromisedArray& array, const std::byte* element, Access access);
    /// The array that an address lies in; null for others.
    const PromisedArray* promisedAt(const std::byte* address) const;

private:
    std::string beyondView(const PromisedArray& array, const std::vector<Index>& indices,
                           const Access& access) const;
};

/// "iteration i` = 3 writes element [3] of 'a' (line 12), which iteration i` = 4 reads (line 12)".
/// `element`: "[3]", or "" if that is not known.
std::string describe(const Access& a, const Access& b, const std::string& element);

/// "[3, 4]"
std::string describe(const std::vector<Index>& globalIndices);

}  // namespace hpspmd::detail
