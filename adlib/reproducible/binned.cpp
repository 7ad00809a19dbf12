// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/binned.hpp>
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "reproducible/extract.hpp"

namespace hpspmd::detail {
namespace {

constexpr int width = binWidth;
constexpr int highestTop = 25;  // holds the largest numbers
constexpr Index chunk = 4096;   // sums of so many parts, at most half a bin each, are exact doubles

enum Special : std::uint64_t { PositiveInfinity = 1, NegativeInfinity = 2, NotANumber = 4 };

using Int128 = __int128;

Int128 total(const Binned& sum, int fold) {
    return static_cast<Int128>(sum.totals[2 * fold + 1]) << 64 | sum.totals[2 * fold];
}

void setTotal(Binned& sum, int fold, Int128 value) {
    sum.totals[2 * fold] = static_cast<std::uint64_t>(value);
    sum.totals[2 * fold + 1] = static_cast<std::uint64_t>(value >> 64);
}

/// The largest magnitude that a top bin takes: half a unit of the bin above. So a number adds
/// nothing to bins above its own, whichever bin is the top.
double limitOf(std::int64_t top) {
    return top >= highestTop ? DBL_MAX : std::ldexp(1.0, (static_cast<int>(top) + 1) * width - 1);
}

std::int64_t topFor(double magnitude) {
    std::int64_t top = Binned::lowestTop;
    while (magnitude > limitOf(top)) ++top;
    return top;
}

void raiseTop(Binned& sum, std::int64_t top) {
    for (; sum.top < top; ++sum.top) {
        if (top - sum.top >= Binned::folds) sum.top = top - Binned::folds;  // nothing stays
        for (int fold = Binned::folds - 1; fold > 0; --fold)
            setTotal(sum, fold, total(sum, fold - 1));
        setTotal(sum, 0, 0);
    }
}

/// False, and nothing is added, if a number does not fit under the top or is not finite.
bool tryChunk(Binned& sum, const double* values, Index count) {
    // The anchor of the highest top would overflow: there the numbers are scaled by two bins.
    const bool isScaled = sum.top == highestTop;
    const int top = static_cast<int>(sum.top) - (isScaled ? 2 : 0);
    const double scale = isScaled ? std::ldexp(1.0, -2 * width) : 1;
    const BinSums parts = extract(values, count, {top, limitOf(sum.top) * scale, scale});
    if (!parts.areValid) return false;
    for (int fold = 0; fold < Binned::folds; ++fold) {
        const double units = std::ldexp(parts.sums[fold], -(top - fold) * width);
        setTotal(sum, fold, total(sum, fold) + static_cast<std::int64_t>(units));
    }
    return true;
}

void depositChunk(Binned& sum, const double* values, Index count) {
    if (tryChunk(sum, values, count)) return;
    double finite[chunk];
    double largest = 0;
    for (Index t = 0; t < count; ++t) {
        finite[t] = std::isfinite(values[t]) ? values[t] : 0;
        largest = std::max(largest, std::fabs(finite[t]));
        if (std::isnan(values[t]))
            sum.special |= NotANumber;
        else if (std::isinf(values[t]))
            sum.special |= values[t] > 0 ? PositiveInfinity : NegativeInfinity;
    }
    raiseTop(sum, topFor(largest));
    tryChunk(sum, finite, count);
}

}  // namespace

void deposit(Binned& sum, const double* values, Index count) {
    for (Index done = 0; done < count; done += chunk)
        depositChunk(sum, values + done, std::min(chunk, count - done));
}

void merge(Binned& sum, const Binned& other) {
    Binned aligned = other;
    raiseTop(sum, aligned.top);
    raiseTop(aligned, sum.top);
    for (int fold = 0; fold < Binned::folds; ++fold)
        setTotal(sum, fold, total(sum, fold) + total(aligned, fold));
    sum.special |= other.special;
}

std::optional<int> plainTopFor(double largest) {
    const std::int64_t top = topFor(largest);
    const bool isPlain = top < highestTop && top - Binned::folds > Binned::lowestTop;
    return isPlain ? std::optional(static_cast<int>(top)) : std::nullopt;
}

void addUnits(Binned& sum, int top, const std::array<Units, Binned::folds>& units) {
    Binned other;
    other.top = top;
    for (int fold = 0; fold < Binned::folds; ++fold)
        setTotal(other, fold,
                 (static_cast<Int128>(units[fold].high) << Units::lowBits) + units[fold].low);
    merge(sum, other);
}

double rounded(const Binned& sum) {
    constexpr std::uint64_t infinities = PositiveInfinity | NegativeInfinity;
    if ((sum.special & NotANumber) != 0 || (sum.special & infinities) == infinities)
        return std::numeric_limits<double>::quiet_NaN();
    if (sum.special != 0)
        return sum.special == PositiveInfinity ? std::numeric_limits<double>::infinity()
                                               : -std::numeric_limits<double>::infinity();
    // As one number: high * 2^80 + middle * 2^40 + low units of the lowest bin, low and middle
    // not negative and below 2^40.
    constexpr Int128 mask = (Int128{1} << width) - 1;
    const Int128 carried = total(sum, 1) + (total(sum, 2) >> width);
    const Int128 low = total(sum, 2) & mask, middle = carried & mask;
    const Int128 high = total(sum, 0) + (carried >> width);
    const int top = static_cast<int>(sum.top);
    const bool isSmall = -(Int128{1} << 46) < high && high < Int128{1} << 46;
    if (isSmall)
        return std::ldexp(static_cast<double>((high << 2 * width) + (middle << width) + low),
                          (top - 2) * width);
    // The lowest bin is far below the rounding; that there is something in it may decide a tie.
    return std::ldexp(static_cast<double>((high << width) + (middle | (low != 0))),
                      (top - 1) * width);
}

}  // namespace hpspmd::detail
