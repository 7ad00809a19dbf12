// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/stretches.hpp"

#include <algorithm>
#include <hpspmd/location.hpp>

#include "plan/pairing.hpp"

namespace hpspmd::layout {
namespace {

/// Locations behind n, with that one, that follow one another in the block that holds it.
Index runFrom(const Range& x, int coordinate, Index n) {
    for (const Block& block : detail::plan::blocksAt(x, coordinate)) {
        const Index behind = n - block.globalBase;
        if (block.globalStep == 1 && behind >= 0 && behind < block.count)
            return block.count - behind;
    }
    return 1;
}

}  // namespace

std::vector<Stretch> stretchesOf(const Range& x, std::size_t most) {
    std::vector<Stretch> result;
    for (Index n = 0; n < x.size() && result.size() < most;) {
        const Location at = x.location(n);
        const int coordinate = detail::isCollapsed(x) ? 0 : at.crd;
        Stretch stretch{n, 0, coordinate, at.sub};
        stretch.count = std::min(runFrom(x, coordinate, n), x.size() - n);
        n += stretch.count;
        result.push_back(stretch);
    }
    return result;
}

Index held(const Range& x, int coordinate) {
    Index count = 0;
    for (const Block& block : detail::plan::blocksAt(x, coordinate)) count += block.count;
    return count;
}

}  // namespace hpspmd::layout
