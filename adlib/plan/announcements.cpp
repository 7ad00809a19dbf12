// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/announcements.hpp"

#include <algorithm>

namespace hpspmd::detail::plan {

std::vector<Announcement> takePassedOn(std::vector<Announcement>& held, int rank, int size,
                                       int step) {
    const auto stays = [&](const Announcement& each) {
        const int way = each.to >= rank ? each.to - rank : each.to - rank + size;
        return (way & step) == 0;
    };
    const auto first = std::stable_partition(held.begin(), held.end(), stays);
    std::vector<Announcement> passed(first, held.end());
    held.erase(first, held.end());
    return passed;
}

}  // namespace hpspmd::detail::plan
