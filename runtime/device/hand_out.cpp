// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/hand_out.hpp"

#include <hpspmd/target.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace hpspmd::detail {

HandOut::HandOut(Index first, Index last, int schedule, std::vector<int> ahead)
    : first_(first), last_(last), schedule_(schedule), ahead_(std::move(ahead)) {}

/// Guided: half of what each would have to run if the rest were divided equally.
Index HandOut::rowsOfChunk(Index left) const {
    constexpr Index fewest = 8;
    const auto workers = static_cast<Index>(ahead_.size() + 1);
    const Index rows = schedule_ == guidedShare ? std::max(fewest, left / (2 * workers))
                                                : static_cast<Index>(schedule_ - dynamicShare);
    return std::min(left, rows);
}

Index HandOut::countLeft() const {
    Index count = 0;
    for (Index left = last_ - first_ + 1; left > 0; left -= rowsOfChunk(left)) ++count;
    return count;
}

HandOut::Chunk HandOut::take(std::size_t worker) {
    const Index first = std::exchange(first_, first_ + rowsOfChunk(last_ - first_ + 1));
    return {worker, first, first_ - 1};
}

HandOut::Chunk HandOut::rest() { return {ahead_.size(), std::exchange(first_, last_ + 1), last_}; }

void HandOut::learn(const std::vector<bool>& isBusy) {
    constexpr int most = 64;
    for (std::size_t k = 0; k < ahead_.size(); ++k)
        ahead_[k] = isBusy[k] ? std::max(ahead_[k] - 1, 1)
                              : std::min(ahead_[k] + std::max(ahead_[k] / 4, 1), most);
}

std::vector<HandOut::Chunk> HandOut::next(const std::vector<bool>& isBusy) {
    const bool hasHostRun = std::exchange(hasHostRun_, false);
    if (hasHostRun) learn(isBusy);
    std::vector<Chunk> chunks;
    const auto devices = static_cast<Index>(ahead_.size());
    const Index most = std::max<Index>(countLeft() / std::max<Index>(devices, 1), 1);
    bool isSome = true;
    for (Index round = 0; round < most && isSome; ++round) {
        isSome = false;
        for (std::size_t k = 0; k < ahead_.size(); ++k)
            if (!isEmpty() && round < (!isBusy[k] ? ahead_[k] : hasHostRun ? ahead_[k] - 1 : 0)) {
                chunks.push_back(take(k));
                isSome = true;
            }
    }
    const Index meanwhile = std::accumulate(ahead_.begin(), ahead_.end(), Index{0});
    const Index left = last_ - first_ + 1;
    hasHostRun_ = left > 0 && left >= meanwhile * rowsOfChunk(left);
    if (hasHostRun_) chunks.push_back(take(ahead_.size()));
    return chunks;
}

}  // namespace hpspmd::detail
