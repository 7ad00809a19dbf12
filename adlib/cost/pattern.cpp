// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/pattern.hpp"

#include <hpspmd/active.hpp>
#include <stdexcept>

namespace hpspmd::detail::cost {

std::vector<int> distancesOf(const Adlib::Pattern& pattern) {
    const int size = apg().size();
    if (pattern.partners < 0 || pattern.partners >= size)
        throw std::invalid_argument("a process of " + std::to_string(size) + " has no " +
                                    std::to_string(pattern.partners) + " partners");
    if (pattern.elements < 1)
        throw std::invalid_argument("of each partner at least one element is wanted");
    std::vector<int> distances;
    for (Index k = 1; k <= pattern.partners; ++k)
        distances.push_back(static_cast<int>(k * size / (pattern.partners + 1)));
    return distances;
}

}  // namespace hpspmd::detail::cost
