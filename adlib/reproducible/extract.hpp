// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/binned.hpp>

namespace hpspmd::detail {

constexpr int binWidth = 40;  ///< bits of a bin

/// Under which bin numbers are split: the bin, the largest magnitude that it takes, and a power of
/// two that the numbers are multiplied by before.
struct Split {
    int top;
    double limit, scale;
};

/// The sums of what falls into each of three bins, as doubles; exact for up to 2^13 numbers.
struct Parts {
    double sums[Binned::folds];
    bool areValid;  ///< no number was larger than the limit, or NaN
};

/// With the widest vectors that the machine has; the result does not depend on them.
Parts extract(const double* values, Index count, const Split& split);

}  // namespace hpspmd::detail
