// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/binned.hpp>
#include <optional>

namespace hpspmd::detail {

constexpr int binWidth = 40;  ///< bits of a bin
/// So many units of a bin: a number that is added to them is rounded to a multiple of the unit.
constexpr double anchorOfBins = 1.5 * (std::int64_t(1) << 52);

/// Under which bin numbers are split: the bin, the largest magnitude that it takes, and a power of
/// two that the numbers are multiplied by before.
struct BinSplit {
    int top;
    double limit, scale;
};

/// The sums of what falls into each of three bins, as doubles; exact for up to 2^13 numbers.
struct BinSums {
    double sums[Binned::folds];
    bool areValid;  ///< no number was larger than the limit, or NaN
};

/// The top bin for numbers of at most that magnitude, which is finite; none where the arithmetic of
/// their parts takes more than doubles have, near the largest and the smallest ones.
std::optional<int> plainTopFor(double largest);

/// Numbers of the units of a bin, as high * 2^lowBits + low.
struct Units {
    static constexpr int lowBits = 20;
    std::int64_t high, low;
};
/// Adds what has been split under that top.
void addUnits(Binned& sum, int top, const std::array<Units, Binned::folds>& units);

/// With the widest vectors that the machine has; the result does not depend on them.
BinSums extract(const double* values, Index count, const BinSplit& split);

}  // namespace hpspmd::detail
