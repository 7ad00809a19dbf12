// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/range.hpp>

#include <cstdint>

namespace hpspmd {
namespace {

using Unsigned = std::uint64_t;

// Steps from low to the last location of low : high : step, which is not empty. Unsigned, because
// high - low may exceed an Index.
Unsigned stepsWithin(Index low, Index high, Index step) {
    const auto a = static_cast<Unsigned>(low), b = static_cast<Unsigned>(high);
    return step > 0 ? (b - a) / static_cast<Unsigned>(step)
                    : (a - b) / -static_cast<Unsigned>(step);
}

}  // namespace

detail::Progression Triplet::over(const BorrowedRange& x) const {
    const Index extent = x.size(where_);
    if (isWhole() && extent > 0) return {0, 1, extent};
    if (step_ == 0) throw OutOfBounds("a triplet with step 0 over " + detail::describe(x), where_);
    const Index low = low_.given ? low_.value : (step_ > 0 ? 0 : extent - 1);
    const Index high = high_.given ? high_.value : (step_ > 0 ? extent - 1 : 0);
    if (step_ > 0 ? low > high : low < high) return {};
    const Unsigned steps = stepsWithin(low, high, step_);
    const auto last =
        static_cast<Index>(static_cast<Unsigned>(low) + steps * static_cast<Unsigned>(step_));
    if (low < 0 || low >= extent || last < 0 || last >= extent)
        throw OutOfBounds(
            detail::compose("the triplet ", low, " : ", high, " : ", step_,
                            " leaves the locations 0 .. ", extent - 1, " of ", detail::describe(x)),
            where_);
    return {low, steps == 0 ? 1 : step_, static_cast<Index>(steps) + 1};
}

}  // namespace hpspmd
