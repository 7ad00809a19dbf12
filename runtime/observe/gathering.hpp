// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What the processes tell process 0 at the end of the job.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hpspmd::detail {

/// In process 0: calls use(text) for the text of each process, in their order. Collective over the
/// job, when the program's own messages have come.
void gatherTexts(const std::string& own, const std::function<void(const std::string&)>& use);

/// A question of process 0 for another one's time, and when the answer came; nanoseconds.
struct ClockAnswer {
    std::int64_t asked, other, answered;
};
/// How far the other clock is ahead. 0 if that is less than these answers can tell.
std::int64_t clockDifference(const std::vector<ClockAnswer>& answers);

/// What to subtract from this process's nanoseconds() to get those since the first start of all;
/// `start`: the own one. Collective over the job.
std::int64_t sharedZero(std::int64_t start);

}  // namespace hpspmd::detail
