// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/tuner.hpp>

#include <string>
#include <vector>

#include "checks/collective_clock.hpp"
#include "tuning/set_search.hpp"
#include "tuning/set_trial.hpp"

namespace hpspmd::detail {

/// The state of a Tuner. All processes hold the same, but for the clocks.
class Tuning {
public:
    using Mode = Adlib::Tuner::Mode;

    Tuning(const Dimension& d, Mode mode, Index every, Where where);
    ~Tuning() { --collectiveClock.wanted; }
    Tuning(const Tuning&) = delete;
    Tuning& operator=(const Tuning&) = delete;

    bool isSettled() const;
    /// Behind a step. True if there are other parts from now on.
    bool next();
    Range parts(const Range& x) const;
    std::string report() const;

private:
    /// Fresh: the arrays have not been moved yet. Changed: the next step makes schedules and is not
    /// measured.
    enum class State { Fresh, Changed, Measured };
    struct Moved {
        int processes;
        double seconds;  ///< per step
    };

    void beginRound();
    void endPart();
    SetTrial::Times endRound();
    void learn(double rate);
    bool chooseSet(const SetTrial::Times& all);
    bool chooseParts(double seconds);
    void note(double seconds);

    const Dimension dimension_;
    const Mode mode_;
    const Index every_;
    const Where where_;
    const bool isPretended_;
    std::vector<double> speeds_;   // of the coordinates
    std::vector<double> before_;   // how fast the last round has shown each, in parts of the mean
    std::vector<double> weights_;  // of their parts now, 0: left out
    SetSearch search_;
    State state_ = State::Fresh;
    Index steps_ = 0;
    CollectiveClock::Clock::time_point begun_{}, partBegun_{};
    Index partSteps_ = 0;  // of a part of the round
    SetTrial trial_;
    CollectiveClock::Clock::duration insideBefore_{};
    std::vector<Moved> moved_;
};

}  // namespace hpspmd::detail
