// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums over the elements of an array that do not depend on who holds them.

#include <hpspmd/observe.hpp>

#include <cstdint>
#include <functional>

namespace hpspmd::detail {

/// Two sums modulo 2^64 of mixed numbers: equal, as good as surely, only for equal elements.
struct WitnessSum {
    std::uint64_t first = 0, second = 0;
};

/// Of floating-point numbers that need not be equal to the last bit: the sum of x * w(place), with
/// a fixed number w for each place. Two arrays whose elements differ by at most t * max(1, |x|)
/// each differ by at most t * magnitude here.
struct NearSum {
    long double sum = 0, magnitude = 0;  ///< of |w| * max(1, |x|)
    std::uint64_t odd = 0;               ///< of infinite ones and NaN: which, and where
};

/// Elements that this process holds in one row: their addresses, and their places in the row-major
/// order of the global subscripts.
struct HeldRun {
    const char* start;
    std::ptrdiff_t step;  ///< in bytes
    Index place, placeStep;
    Index count;
};

/// Calls action(run) for all elements of the array that this process holds, ghost cells left out.
void forEachHeldRun(const WrittenArray& array, const std::function<void(const HeldRun&)>& action);

/// The part of this process.
WitnessSum witnessSum(const WrittenArray& array);

/// Of floating-point or complex elements.
NearSum nearSum(const WrittenArray& array);

/// Which copy of the array this process holds part of: 0 unless the array is replicated over some
/// dimensions of its group.
Index copyHeld(const Descriptor& array);

}  // namespace hpspmd::detail
