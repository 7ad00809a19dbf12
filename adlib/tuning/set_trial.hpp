// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <limits>

namespace hpspmd::detail {

/// How long a step takes on a set of processes: the least of the parts of a round, since other work
/// makes times longer only. What a second part has not shown, within 5 %, may be luck, or all parts
/// were disturbed: then the round is repeated, twice at most.
class SetTrial {
public:
    struct Times {
        double least, second;  ///< seconds of a step
    };

    /// Of a part of a round, as this process sees it.
    void note(double seconds) {
        times_.second = std::min(times_.second, std::max(times_.least, seconds));
        times_.least = std::min(times_.least, seconds);
    }
    const Times& times() const { return times_; }

    /// True if the trial is over behind a round, of which all processes have shown these times.
    bool endsWith(const Times& all) {
        ++rounds_;
        return all.second <= alike * all.least || rounds_ == mostRounds;
    }

private:
    static constexpr double alike = 1.05;
    static constexpr int mostRounds = 3;

    Times times_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    int rounds_ = 0;
};

}  // namespace hpspmd::detail
