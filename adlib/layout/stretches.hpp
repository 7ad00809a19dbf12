// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/range.hpp>
#include <vector>

namespace hpspmd::layout {

/// Neighbouring locations that one coordinate holds.
struct Stretch {
    Index first = 0, count = 0;
    int coordinate = 0;
    Index local = 0;  ///< local subscript of the first
};

/// The first stretches of a range, in the order of the locations: at most so many.
std::vector<Stretch> stretchesOf(const Range& x, std::size_t most);

/// How many locations a coordinate holds.
Index held(const Range& x, int coordinate);

}  // namespace hpspmd::layout
