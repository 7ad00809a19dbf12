// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What gather, scatter and the fence that closes an epoch cost. That depends on more than
/// descriptors: on the subscripts and accesses themselves, given as functions, or on a pattern.

#include <adlib/cost.hpp>
#include <adlib/one_sided.hpp>
#include <functional>
#include <hpspmd/triplet.hpp>

namespace hpspmd {
namespace Adlib {

/// The arguments of a gather or scatter; the arrays need not exist. Of each x in the walked array
/// (gather: dst, scatter: src) the subscript in dimension r of the indexed one.
struct IndirectAccess {
    Group group;
    std::vector<Range> walked, indexed;
    std::function<Index(const std::vector<Index>& x, int r)> subscript;
};

/// In place of subscripts or accesses: each process of the APG turns to `partners` others, at equal
/// distances round the APG, for so many elements of each one, at irregular places. Such a pattern
/// can be priced for any number of processes, since all do alike.
struct Pattern {
    int partners;
    Index elements;
};

/// Prices of a schedule's execute(), and of making it. From subscripts all processes are planned:
/// time and memory in proportion to all elements. Errors (std::invalid_argument): a subscript
/// outside; a pattern with fewer than 0 partners, or as many as there are processes, or with no
/// elements.
Cost gatherCost(const IndirectAccess& access, std::size_t elementSize, const Machine& machine = {});
Cost gatherCost(const Pattern& pattern, std::size_t elementSize, const Machine& machine = {});
Cost scatterCost(const IndirectAccess& access, std::size_t elementSize,
                 const Machine& machine = {});
Cost scatterCost(const Pattern& pattern, std::size_t elementSize, const Machine& machine = {});

using detail::Access;

/// One get, put or accumulate, of a section of the array.
struct RemoteAccess {
    Access access;
    std::vector<Triplet> section;
};

/// The same to elements that lie in so many rows.
struct RowAccess {
    Access access;
    Index rows = 1;
};

/// What is asked for between two fences of an array that need not exist.
struct Epoch {
    Group group;
    std::vector<Range> ranges;
    std::function<std::vector<RemoteAccess>(int process)> accesses;
};

/// The price of the closing fence, with all that travels there; the opening one costs nothing. In a
/// pattern each process makes one access to each partner.
Cost fenceCost(const Epoch& epoch, std::size_t elementSize, const Machine& machine = {});
Cost fenceCost(const Pattern& pattern, const RowAccess& access, std::size_t elementSize,
               const Machine& machine = {});

}  // namespace Adlib
}  // namespace hpspmd
