// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// HandOut, who runs which rows of a nest if each gets more of them whenever it is done. Pure.

#include <hpspmd/where.hpp>

#include <cstddef>
#include <vector>

namespace hpspmd::detail {

/// Where chunks begin follows from the schedule alone, and not from who is fast. The host has one
/// chunk at a time. A device that had nothing to do when the host came back from its chunk gets a
/// quarter more chunks at once from then on, at most 64; one that was busy still gets one less.
/// Once all devices together would run the rows that are left while the host runs a chunk, the host
/// takes none any more.
class HandOut {
public:
    struct Chunk {
        std::size_t worker;  // a device, or, behind them, the host
        Index first, last;
    };

    /// For rows first .. last, at least one. `schedule` is guidedShare, or dynamicShare plus the
    /// rows of a chunk; `ahead` is how many chunks each device gets at once.
    HandOut(Index first, Index last, int schedule, std::vector<int> ahead);

    /// True if all rows have been given to somebody.
    bool isEmpty() const { return first_ > last_; }
    /// What all who are done get now, in the order of rows. Nothing if all devices are busy and the
    /// host is to wait for them.
    std::vector<Chunk> next(const std::vector<bool>& isBusy);
    /// All that is left, to the host.
    Chunk rest();

    const std::vector<int>& ahead() const { return ahead_; }
    /// How many chunks there are from here on.
    Index countLeft() const;

private:
    Index rowsOfChunk(Index left) const;
    Chunk take(std::size_t worker);
    void learn(const std::vector<bool>& isBusy);

    Index first_, last_;
    int schedule_;
    std::vector<int> ahead_;
    bool hasHostRun_ = false;  // since the last next()
};

}  // namespace hpspmd::detail
