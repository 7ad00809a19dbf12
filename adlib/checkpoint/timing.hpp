// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/checkpoint.hpp>
#include <hpspmd/collective.hpp>
#include <optional>
#include <string_view>

namespace hpspmd::detail {

/// "200", "90s", "10m", "2h": calls, or a time; nothing if it is none of these.
std::optional<Every> everyFrom(std::string_view text);

/// When the processes write a checkpoint, and when they end: at the same call in all of them. They
/// ask each other at some calls only, about two times a second by the clock of the first process.
class Timing {
public:
    struct Verdict {
        bool isDue;
        int signal;  ///< that one of the processes got; 0 if none
    };

    /// Nothing is to be done at this call, which is counted then. Else next() is to be asked.
    bool passes(const Every& every) {
        if (every.calls != period_ || calls_ == nextDue_ || calls_ + 1 >= nextAsked_) return false;
        ++calls_;
        return true;
    }
    /// Collective; the same verdict in all processes of the APG.
    Verdict next(const Every& every, Where where);

private:
    using Clock = std::chrono::steady_clock;

    Index calls_ = 0, nextAsked_ = 1, askedEvery_ = 1;
    Index period_ = 0, nextDue_ = -1;  // of every.calls; no division in each call
    Clock::time_point saved_ = Clock::now(), asked_ = Clock::now();
};

}  // namespace hpspmd::detail
