// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The kernels of Adlib's reductions.

#include <cstddef>
#include <string>

namespace hpspmd::detail {

/// Of arrays of more dimensions there is none.
inline constexpr std::size_t mostReducedLoops = 3;

/// Joins, by "SUM", "MAX" or "MIN", the elements of an array, or the products of those of two,
/// which all are of that type:
///
///     (Run i_run, Run j_run, IN(double, a), Index a_i, Index a_j, JOINED(double, total)) { .. }
std::string reductionText(const std::string& joins, const std::string& type, int arrays,
                          std::size_t loops);

/// For sums that do not depend on the order (adlib/binned.hpp): the largest magnitude of these
/// numbers, infinite if one of them is infinite or NaN:
///
///     (.., JOINED(double, most)) { .. }
std::string magnitudeText(const std::string& type, int arrays, std::size_t loops);

/// The sums of their parts in three bins, as units of each, in high * 2^lowBits + low:
///
///     (.., double anchor0, double scale0, JOINED(long, high0), JOINED(long, low0), ..) { .. }
///
/// A number plus the anchor has the unit for its last bit; the unit times the scale is 1.
std::string binsText(const std::string& type, int arrays, std::size_t loops, int lowBits);

}  // namespace hpspmd::detail
