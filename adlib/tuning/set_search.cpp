// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tuning/set_search.hpp"

#include <algorithm>
#include <cmath>

namespace hpspmd::detail {

SetSearch::SetSearch(int most, bool grows)
    : most_(most), grows_(grows), current_(grows ? 1 : most) {}

const SetSearch::Tried& SetSearch::best() const {
    return *std::min_element(tried_.begin(), tried_.end(),
                             [](const Tried& a, const Tried& b) { return a.seconds < b.seconds; });
}

/// 0: none is left.
int SetSearch::nextCoarse() const {
    if (grows_) return current_ == most_ ? 0 : std::min(2 * current_, most_);
    return current_ / 2;
}

int SetSearch::nextFine() const {
    const int middle = best().size;
    int below = 0, above = most_ + 1;
    for (const Tried& each : tried_) {
        if (each.size < middle) below = std::max(below, each.size);
        if (each.size > middle) above = std::min(above, each.size);
    }
    const bool isAbove = above - middle >= middle - below;
    const int from = isAbove ? middle : below, to = isAbove ? above : middle;
    return to - from > 1 ? from + (to - from) / 2 : 0;
}

int SetSearch::nextAgain() const {
    const Tried first = best();
    int next = 0;
    double soonest = 0;
    bool hasRivals = false;
    for (const Tried& each : tried_) {
        if (each.seconds > nearlyAsGood * first.seconds) continue;
        hasRivals = hasRivals || each.size != first.size;
        int times = 0;
        double least = each.seconds;
        for (const Tried& other : tried_)
            if (other.size == each.size) {
                ++times;
                least = std::min(least, other.seconds);
            }
        const double rank = least * std::pow(triedBefore, times - 1);
        if (times == mostOfOne || (next != 0 && rank >= soonest)) continue;
        next = each.size;
        soonest = rank;
    }
    return hasRivals ? next : 0;
}

void SetSearch::note(double seconds) {
    if (isSettled_) return;
    misses_ = tried_.empty() || seconds < gain * best().seconds ? 0 : misses_ + 1;
    tried_.push_back({current_, seconds});
    int next = 0;
    if (isCoarse_) next = misses_ < 2 ? nextCoarse() : 0;
    if (next == 0) {
        isCoarse_ = false;
        next = nextFine();
    }
    if (next == 0) next = nextAgain();
    isSettled_ = next == 0 || static_cast<int>(tried_.size()) == mostTrials;
    current_ = isSettled_ ? best().size : next;
}

}  // namespace hpspmd::detail
