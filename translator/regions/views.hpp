// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hpcc::regions {

// The promise of `dist(view(1, 2))`: how far beyond its own elements of the divided dimension a
// loop reads.
struct View {
    long below = 0, above = 0;
    bool isWhole = false;  // view(:)
    std::string text;      // as it is written

    bool reaches(long distance) const {
        return isWhole || (-below <= distance && distance <= above);
    }
};

// Of what stands between the parentheses: `1`, `1, 2` for each dimension, `{1, 0}` for below and
// above, `:`. Nothing if it is none of these.
std::optional<View> viewOf(std::string_view arguments, int rank, int dimension);

}  // namespace hpcc::regions
