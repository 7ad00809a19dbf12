// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/near_names.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

// Optimal string alignment distance, by rows: previous two rows are enough for swaps.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast = last;
        last = row;
    }
    return last[b.size()];
}

}  // namespace

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
    std::size_t best = name.size() <= 4 ? 2 : 3;
    std::string nearest;
    for (const std::string& candidate : candidates) {
        if (candidate == name) continue;
        const std::size_t d = distance(name, candidate);
        if (d < best && d < name.size()) {
            best = d;
            nearest = candidate;
        }
    }
    return nearest;
}

}  // namespace hpcc::check
