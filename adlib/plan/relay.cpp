// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/relay.hpp"

#include <algorithm>
#include <bit>

#include "plan/local_elements.hpp"

namespace hpspmd::detail::plan {
namespace {

/// The processes that hold the same elements as `process`, the first copy first.
std::vector<int> copiesWith(const Layout& array, int process) {
    std::vector<int> coordinates;
    for (int r = 0; r < array.rank(); ++r) coordinates.push_back(array.coordinate(r, process));
    return array.holders(coordinates);
}

/// About how many processes hold elements that others do not.
int holdersOf(const Layout& array) {
    int holders = 1;
    for (int r = 0; r < array.rank(); ++r)
        if (const Range& x = array.range(r); x.size() > 0)
            holders *= x.crds(0, x.size() - 1).size();
    return holders;
}

}  // namespace

bool isRelayWorthwhile(const Layout& to, const Layout& from) {
    if (to.sharesReplicationWith(from)) return false;
    const auto copies = static_cast<unsigned>(to.copies());
    const int holders = holdersOf(from);
    const int levels = static_cast<int>(std::bit_width(copies - 1));
    return copies >= 4 && static_cast<int>(copies) / holders > levels + 1;
}

std::vector<Plan> relays(const Layout& array, int process) {
    if (!array.holds(process)) return {};
    const Descriptor layout = array.descriptor();
    const Region all = simplified(localElements<1>(layout, process, {memory(layout)}));
    const std::vector<int> copies = copiesWith(array, process);
    const auto size = static_cast<int>(copies.size());
    const auto place =
        static_cast<int>(std::find(copies.begin(), copies.end(), process) - copies.begin());
    std::vector<Plan> levels;
    for (int distance = 1; distance < size; distance *= 2) {
        Plan& level = levels.emplace_back();
        if (all.count() == 0) continue;
        if (place < distance && place + distance < size)
            level.sends.push_back({copies[static_cast<std::size_t>(place + distance)], {all}});
        if (distance <= place && place < 2 * distance)
            level.receives.push_back({copies[static_cast<std::size_t>(place - distance)], {all}});
    }
    return levels;
}

}  // namespace hpspmd::detail::plan
