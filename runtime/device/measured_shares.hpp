// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// MeasuredShares, who runs how much of the nests over one range, found by the times of these
/// nests. Pure: times are given to it.

#include "device/device_sets.hpp"

#include <hpspmd/where.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace hpspmd::detail {

/// Devices begin with equal shares. Then the parts, and one of the host, run one after the other
/// for a few executions, and each is timed. By their speeds follow the shares of the devices alone,
/// and those with the host; if the host shortens nests by this reckoning, a number of executions in
/// both ways tells whether it really does. After so many executions the parts are timed again, and
/// shares move half of the way to what would be right now. Who tunes sets has each of these tried
/// for a number of executions instead, fewer of a set that is clearly slower than another one, and
/// keeps the fastest.
class MeasuredShares {
public:
    static constexpr int untilTimedAgain = 1000;  // executions

    explicit MeasuredShares(std::size_t devices);
    /// With tuned sets; of each device, and of the host behind them, which kind it is.
    MeasuredShares(std::vector<int> kinds, bool grows);

    /// As if these had been measured just now. Before the first begin().
    void settleOn(const std::vector<double>& shares) { settle(shares); }

    /// True if all devices must have done what they have to do before begin().
    bool isBorder() const;
    /// A nest begins, at that time in seconds.
    void begin(double now);
    /// True if the parts of the nest that has begun run one after the other, and each is timed.
    bool timesParts() const { return phase_ == Phase::Parts && count_ > warmUp(); }
    /// So many iterations of the outermost loop on that part: a device, or, behind them, the host.
    void took(std::size_t part, double iterations, double seconds);

    /// Of each device, and of the host; their sum is 1.
    const std::vector<double>& shares() const { return shares_; }
    /// True if the last begin() has changed them, to stay.
    bool isNews() const { return isNews_; }
    /// How many were tried.
    std::size_t sets() const { return sets_ ? sets_->tried().size() : 0; }

private:
    enum class Phase : unsigned char { Equal, Parts, Alone, WithHost, Set, Settled };
    static constexpr double least = 0.03;  // of its time, which a part must save

    int warmUp() const;  // executions of the phase that are not timed
    int length() const;
    bool isWindow() const { return phase_ >= Phase::Alone && phase_ <= Phase::Set; }
    bool mayEndEarly() const;
    bool isHopeless(double now) const;
    void noteSet(double seconds);
    void enterNext(double now);
    void enter(Phase phase, std::vector<double> shares);
    void timeParts(std::vector<double> shares);
    void settle(const std::vector<double>& shares);
    std::vector<double> speeds() const;
    std::vector<double> bySpeed(bool withHost) const;
    void trySets();

    std::size_t devices_;
    std::vector<int> kinds_ = {};  // of parts, if sets are tuned
    bool grows_ = false;
    std::optional<DeviceSets> sets_ = {};
    std::vector<double> shares_;
    std::vector<std::vector<double>> costs_;  // seconds of an iteration, of each part and time
    Phase phase_ = Phase::Equal;
    int count_ = 0;                        // executions of the phase
    double start_ = 0, secondsAlone_ = 0;  // of windows
    bool hasSettled_ = false, isNews_ = false;
};

}  // namespace hpspmd::detail
