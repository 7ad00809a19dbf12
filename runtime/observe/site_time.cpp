// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/site_time.hpp"

#include <algorithm>

namespace hpspmd::detail {
namespace {

double uncertainty(const SiteTime::Part& part) {
    return part.ticks * part.ticks / static_cast<double>(std::max<std::uint64_t>(1, part.timed));
}

void reduce(SiteTime::Part& part, double ticks) {
    if (part.ticks <= 0) return;
    part.waiting *= 1 - ticks / part.ticks;
    part.ticks -= ticks;
}

}  // namespace

SiteTime::Part& SiteTime::Part::operator+=(const Part& more) {
    ticks += more.ticks;
    waiting += more.waiting;
    timed += more.timed;
    return *this;
}

SiteTime::Part SiteTime::total() const {
    Part all = measured;
    return (all += usual) += lasting;
}

void limit(std::vector<SiteTime>& sites, double most) {
    std::vector<SiteTime::Part*> estimated;
    double excess = -most;
    for (SiteTime& site : sites) {
        excess += site.total().ticks;
        for (SiteTime::Part* const part : {&site.usual, &site.lasting})
            if (part->ticks > 0) estimated.push_back(part);
    }
    // Each turn takes all of it, or all of one estimate.
    while (excess > 0 && !estimated.empty()) {
        double sum = 0, taken = 0;
        for (const SiteTime::Part* const part : estimated) sum += uncertainty(*part);
        for (SiteTime::Part* const part : estimated) {
            const double share = std::min(part->ticks, excess * uncertainty(*part) / sum);
            reduce(*part, share);
            taken += share;
        }
        excess -= taken;
        estimated.erase(std::remove_if(estimated.begin(), estimated.end(),
                                       [](const auto* part) { return part->ticks <= 0; }),
                        estimated.end());
        if (taken <= 0) return;
    }
}

}  // namespace hpspmd::detail
