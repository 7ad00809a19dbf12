// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace hpspmd::detail {

/// Which number of processes, 1 .. most, is tried next, from the times of those that were tried.
/// First 1, 2, 4, .., or most, most / 2, ..; a number that is worse does not end this, two one
/// behind the other do. Then the middle of the larger of the gaps beside the best one, until there
/// is none. At last those that are nearly as good as the best one up to twice more, since other
/// work makes times longer: the better ones first, where each time that a number was tried counts
/// as 1.3 times slower; the least time of a number counts. 11 trials at most.
class SetSearch {
public:
    struct Tried {
        int size;
        double seconds;
    };

    SetSearch(int most, bool grows);

    int current() const { return current_; }
    bool isSettled() const { return isSettled_; }
    const std::vector<Tried>& tried() const { return tried_; }
    const Tried& best() const;

    /// How long the current one took. Does nothing once the search is settled.
    void note(double seconds);

private:
    static constexpr int mostTrials = 11;
    static constexpr double gain = 0.98, nearlyAsGood = 1.7, triedBefore = 1.3;
    static constexpr int mostOfOne = 3;

    int nextCoarse() const;
    int nextFine() const;
    int nextAgain() const;

    int most_;
    bool grows_, isCoarse_ = true, isSettled_ = false;
    int current_, misses_ = 0;
    std::vector<Tried> tried_;
};

}  // namespace hpspmd::detail
