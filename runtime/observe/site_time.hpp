// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// SiteTime, what a line of a program took: of executions that were timed, and of those that stand
/// behind them.

#include <cstdint>
#include <vector>

namespace hpspmd::detail {

/// Of a site, without what belongs to others within it.
struct SiteTime {
    /// Of several executions: ticks.
    struct Part {
        double ticks = 0, waiting = 0;
        std::uint64_t timed = 0;  ///< so many stand for all of them

        Part& operator+=(const Part& more);
    };
    Part measured;  ///< timed ones
    Part usual,
        lasting;  ///< others, as those that took no longer than usual stand for them, or did

    Part total() const;
};

/// Together the sites took no more than `most` ticks, the time in which they ran: what is estimated
/// beyond that is taken from what was not timed, most from what is the least certain, as the square
/// of an estimate over the number of those that it follows from is.
/// Example: 30 were measured, 80 follow from 64 executions, 40 from 4; of 100 ticks 80 and 40
/// exceed 70 by 50: 10 and 40 are taken.
void limit(std::vector<SiteTime>& sites, double most);

}  // namespace hpspmd::detail
