#include "compose.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/range.hpp>

#include <cstdint>

namespace hpspmd {
namespace {

using Unsigned = std::uint64_t;

// Locations of low : high : step. Unsigned, because high - low may exceed an Index.
Unsigned locationCount(Index low, Index high, Index step) {
    if (step > 0 ? low > high : low < high) return 0;
    const Unsigned distance = step > 0 ? static_cast<Unsigned>(high) - static_cast<Unsigned>(low)
                                       : static_cast<Unsigned>(low) - static_cast<Unsigned>(high);
    const Unsigned stride =
        step > 0 ? static_cast<Unsigned>(step) : Unsigned{0} - static_cast<Unsigned>(step);
    return distance / stride + 1;
}

}  // namespace

detail::Progression Triplet::over(const Range& x) const {
    const Index extent = x.size();
    if (step_ == 0) throw OutOfBounds("a triplet with step 0 over " + detail::describe(x), where_);
    const Index low = low_.given ? low_.value : (step_ > 0 ? 0 : extent - 1);
    const Index high = high_.given ? high_.value : (step_ > 0 ? extent - 1 : 0);
    const Unsigned count = locationCount(low, high, step_);
    if (count == 0) return {};
    const Index last = low + static_cast<Index>((count - 1) * static_cast<Unsigned>(step_));
    if (low < 0 || low >= extent || last < 0 || last >= extent)
        throw OutOfBounds(
            detail::compose("the triplet ", low, " : ", high, " : ", step_,
                            " leaves the locations 0 .. ", extent - 1, " of ", detail::describe(x)),
            where_);
    return {low, count == 1 ? 1 : step_, static_cast<Index>(count)};
}

}  // namespace hpspmd
