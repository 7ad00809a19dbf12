// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/descriptor.hpp>
#include <map>
#include <optional>

#include "plan/plan.hpp"

namespace hpspmd::detail::plan {

/// The subscript arrays of a gather or scatter, as one process holds them: all aligned with an
/// array over x, and how to read them at an offset from data().
struct Subscripts {
    std::vector<Descriptor> layouts;  ///< one per dimension of the indexed array
    std::function<Index(int r, Index offset)> at;
    std::optional<Descriptor> mask;
    std::function<bool(Index offset)> isTaken;  ///< reads the mask
};

/// One x: the element over x at offset `mine` of this process, the indexed element at offset
/// `theirs` of another (or of this one), and x's position in row-major order.
struct Access {
    Index mine, theirs, order;

    friend bool operator==(const Access&, const Access&) = default;
};
/// By the process that holds the indexed element; ascending order within.
using Accesses = std::map<int, std::vector<Access>>;

/// A subscript outside of its dimension.
struct BadSubscript {
    Index order;  ///< of x
    Index value;
    int dimension;
};

/// What a process wants of others, or the first x (in row-major order of its own) that is wrong.
struct Request {
    Accesses accesses;
    std::optional<BadSubscript> bad;
};

/// What `process` must be given for to[x] = from[subscripts(x)]: each copy of a replicated `to` is
/// served by the copy of `from` nearest to it.
Request gatherRequest(const Descriptor& to, const Descriptor& from, const Subscripts& subscripts,
                      int process);

/// What `process` must give for to[subscripts(x)] = from[x]: each copy of a replicated `to` gets
/// every element once, from the copy of `from` nearest to it.
Request scatterRequest(const Descriptor& to, const Descriptor& from, const Subscripts& subscripts,
                       int process);

/// What a gather tells the holders: the places wanted, by holder.
std::map<int, std::vector<Index>> placesOf(const Accesses& wanted);

/// The plan of a gather for a process that wants `wanted`, given what other processes want of it:
/// offsets in its part of the source, in their order.
Plan gatherPlan(int process, const Accesses& wanted,
                const std::map<int, std::vector<Index>>& served);

/// An element that arrives: where it goes, and x's position in row-major order.
struct Arrival {
    Index to, order;
};

/// What a scatter tells the holders of the destination, by holder.
std::map<int, std::vector<Arrival>> arrivalsOf(const Accesses& given);

/// A scatter: the elements travel into a staging area, an array of their own; then those of `store`
/// are stored, one after the other.
struct ScatterPlan {
    Plan plan;         ///< its destination is the staging area
    Index staged = 0;  ///< elements of the staging area
    struct Store {
        Index to, from;  ///< offset in the destination, place in the staging area
        friend bool operator==(const Store&, const Store&) = default;
    };
    std::vector<Store> stores;  ///< by row-major order of x, as a sequential loop would
};

/// The plan of a scatter for a process that gives `given`, given what arrives from others.
ScatterPlan scatterPlan(int process, const Accesses& given,
                        const std::map<int, std::vector<Arrival>>& arrivals);

}  // namespace hpspmd::detail::plan
