#pragma once

#include <optional>
#include <set>
#include <utility>

#include "nests/nest.hpp"

namespace hpcc::nests {

/// Pairs of arrays (places in Nest::arrays) that must share no element.
using ArrayPairs = std::set<std::pair<size_t, size_t>>;

/// Because each is asked about when the program runs, a nest with more of them stays as it is.
inline constexpr size_t mostArrayPairs = 256;

/// True if no iteration of an innermost loop reads or writes what another one writes, provided that
/// the arrays of `apart`, to which pairs are added, share no element.
///
/// Two accesses to one array meet in different iterations unless some slot tells them apart:
/// `a[i - 1, j]` and `a[i, j]` by the fixed i; `a[i, j]` with itself by j; `a[i, j - 1]` and
/// `a[i, j]` in steps of two, because 1 is odd.
///
/// What the program promises by [[hpspmd::independent]] is believed.
///
/// Numbers that live longer than an iteration are none of its concern.
bool isIndependent(const Nest& nest, const Loop& loop, ArrayPairs& apart);

}  // namespace hpcc::nests
