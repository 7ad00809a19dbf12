// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// DeviceSets, which set of the devices of a process, and of its host, runs nests fastest. Pure.

#include <cstddef>
#include <vector>

namespace hpspmd::detail {

/// By trials, at most 11. A set has so many parts of each kind, the fastest ones. To grow, the
/// first one is the fastest part; then twice as many of a kind, kinds that are not there yet, alone
/// and in pairs, and numbers between those that were tried. To shrink, the first one has all parts;
/// then half as many of a kind, a kind less, and numbers between. All that is tried next differs
/// from the best set so far. As soon as there are more times than kinds, the set that they predict
/// to be faster than the best one goes first, and none is tried that they predict to take several
/// times as long: time is for work, by speed, and so much for each part of a kind. Source: the
/// tuner of ClusterJaMP; the prediction is new.
class DeviceSets {
public:
    using Counts = std::vector<int>;  // of each kind
    struct Tried {
        Counts counts;
        double seconds;
    };

    /// Of each part, its kind, 0 .. n - 1, and its speed; of speed 0 are those that are in no set.
    /// At least one has a speed.
    DeviceSets(std::vector<int> kinds, std::vector<double> speeds, bool grows);

    bool isSettled() const { return isSettled_; }
    /// How long the current set took. Does nothing once one is chosen.
    void note(double seconds);
    const std::vector<Tried>& tried() const { return tried_; }
    const Tried& best() const;

    /// The share of each part in the current set, or in the chosen one, by speed; their sum is 1.
    std::vector<double> shares() const;

private:
    static constexpr std::size_t mostTrials = 11;

    bool isNew(const Counts& counts) const;
    bool mayBeFaster(const Counts& counts) const;
    std::vector<Counts> larger(const Counts& from) const;
    std::vector<Counts> smaller(const Counts& from) const;
    std::vector<Counts> between(const Counts& from) const;
    std::vector<Counts> otherwise(const Counts& from) const;
    double speedOf(const Counts& counts) const;
    std::vector<double> causes(const Counts& counts) const;
    std::vector<double> fitted() const;
    double predicted(const Counts& counts, const std::vector<double>& weights) const;
    Counts fastest(const std::vector<double>& weights) const;
    Counts next() const;

    std::vector<int> kinds_;
    std::vector<double> speeds_;
    std::vector<std::size_t> order_;  // of parts, the fastest first
    Counts most_, current_;
    bool grows_, isSettled_ = false;
    std::vector<Tried> tried_;
};

}  // namespace hpspmd::detail
