// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "nests/nest.hpp"

namespace hpcc::nests {

/// Pairs of arrays (places in Nest::arrays) that must share no element.
using ArrayPairs = std::set<std::pair<size_t, size_t>>;

/// Because each is asked about when the program runs, a nest with more of them stays as it is.
inline constexpr size_t mostArrayPairs = 256;

/// Two accesses of which one changes what the other reaches in another iteration.
struct Meeting {
    const Access *write = nullptr, *other = nullptr;

    /// Why iterations must keep their order, for remarks.
    std::string reason() const;
};

/// Where an iteration of a loop perhaps reaches what another one writes, in one iteration of the
/// loops round it. If none does, provided that the arrays of `apart`, to which pairs are added,
/// share no element, the result is empty (analysis/dependence.hpp says how that is known).
///
/// What the program promises by [[hpspmd::independent]] is believed.
///
/// Numbers that live longer than an iteration are none of its concern. Pairs of a write and
/// another access for which `isExcused` holds are not asked about.
using IsExcused = std::function<bool(const Access& write, const Access& other)>;
Meeting meetingIn(const Nest& nest, const Loop& loop, ArrayPairs& apart,
                  const IsExcused& isExcused = nullptr);

/// True if an innermost loop does nothing but that, and no iteration meets another one.
bool isIndependent(const Nest& nest, const Loop& loop, ArrayPairs& apart,
                   const IsExcused& isExcused = nullptr);
/// The same where elements of containers share no memory with multiarrays.
bool isIndependentOfContainers(const Nest& nest, const Loop& loop, ArrayPairs& apart);

/// The same of a loop round counting loops, of which each iteration runs on its own.
bool isIndependentRound(const Nest& nest, const Loop& loop, ArrayPairs& apart);

/// The same of any loop: its iterations change nothing but elements and numbers of their own.
bool runsInAnyOrder(const Nest& nest, const Loop& loop, ArrayPairs& apart);

/// The same where each iteration has scratch vectors for itself.
bool runsInLanes(const Nest& nest, const Loop& loop, ArrayPairs& apart);

/// What keeps the iterations of an innermost loop in their order although none meets another one
/// in a number; no place if nothing does, or if it is no such loop.
Obstacle orderOf(const Nest& nest, const Loop& loop);

/// True if each iteration of a loop changes elements of the array, if any, which no other one
/// reaches, whatever the iterations of the loops round it are.
bool hasOwnElements(const Nest& nest, const Loop& loop, size_t array);

}  // namespace hpcc::nests
