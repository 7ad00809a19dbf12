// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops in batches, some of which are left out. hpcc -O3 emits loops over a Batch.

#include <hpspmd/index.hpp>

#include <algorithm>

namespace hpspmd::detail {

/// The iterations first .. last of a loop that keeps the largest or least number so far, perhaps
/// together with loops before it.
struct WholeLoop {
    Index first, last;
    bool goesOn;

    /// Of few numbers many are new ones.
    bool isLong() const { return last - first >= (goesOn ? 32 : 128); }
};

/// A batch of them, first .. last. Of numbers in any order the k-th is a new one with probability
/// 1 / k, so batches are short at the beginning and grow. The longest are tried only, and taken as
/// several if they hold a new number.
class Batch {
public:
    Index first, last;

    explicit Batch(const WholeLoop& loop)
        : first(loop.first), end_(loop.last), seen_(loop.goesOn ? longest * share : 0) {
        take(loop.goesOn ? longest : atStart);
    }
    explicit operator bool() const { return first <= end_; }
    void next() {
        seen_ += last - first + 1;
        first = last + 1;
        if (parts_ > 0) --parts_;
        take(std::clamp(seen_ / share, shortest, parts_ > 0 ? longest : longestTried));
    }
    /// True if it is worth asking whether any of its iterations changes something.
    bool mayBeLeftOut() const { return seen_ > 0 && last - first >= shortest / 2; }
    /// True if there is nothing to do before the next batch. `found`: whether any of its iterations
    /// changes something.
    bool isLeftOut(bool found) {
        if (!found) return true;
        if (last - first < longest) return false;
        last = first - 1;
        parts_ = longestTried / longest + 1;
        return true;
    }

private:
    static constexpr Index atStart = 64, shortest = 32, longest = 256, share = 8,
                           longestTried = 4 * longest;
    void take(Index length) { last = std::min(end_, first + length - 1); }

    Index end_, seen_, parts_ = 0;  // that are left of one that was tried
};

}  // namespace hpspmd::detail
