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
/// 1 / k, so batches are short at the beginning and grow. Behind some without a new number several
/// are tried as one, which is taken apart again if it holds one.
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
        take(std::clamp(seen_ / share, shortest, quiet_ < manyQuiet ? longest : longestTried));
    }
    /// True if it is worth asking whether any of its iterations changes something.
    bool mayBeLeftOut() const { return seen_ > 0 && last - first >= shortest / 2; }
    /// True if there is nothing to do before the next batch. `found`: whether any of its iterations
    /// changes something.
    bool isLeftOut(bool found) {
        quiet_ = found ? 0 : quiet_ + 1;
        if (!found) return true;
        if (last - first < longest) return false;
        last = first - 1;
        return true;
    }

private:
    static constexpr Index atStart = 64, shortest = 32, longest = 256, share = 8,
                           longestTried = 4 * longest, manyQuiet = 8;
    void take(Index length) { last = std::min(end_, first + length - 1); }

    Index end_, seen_, quiet_ = 0;  // batches without a new number, one after the other
};

}  // namespace hpspmd::detail
