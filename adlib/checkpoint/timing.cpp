// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpoint/timing.hpp"

#include <algorithm>
#include <charconv>
#include <hpspmd/active.hpp>

#include "stop_request.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail {
namespace {

/// What the processes tell each other: the first one's clock, and anybody's signal.
struct Asked {
    Index askedEvery;
    int signal;
    bool isDue;
};

void join(void* left, const void* right, std::size_t, const void*) {
    auto& to = *static_cast<Asked*>(left);
    if (to.signal == 0) to.signal = static_cast<const Asked*>(right)->signal;
}

}  // namespace

std::optional<Every> everyFrom(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(number > 0) || number > 1e9) return std::nullopt;
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    if (unit.empty() && number >= 1) return Every{static_cast<Index>(number), 0};
    if (unit == "s") return Every{0, number};
    if (unit == "m") return Every{0, 60 * number};
    if (unit == "h") return Every{0, 3600 * number};
    return std::nullopt;
}

Timing::Verdict Timing::next(const Every& every, Where where) {
    const Index call = calls_++;
    if (every.calls != period_) {
        period_ = every.calls;
        nextDue_ = period_ > 0 ? (std::max<Index>(call, 1) + period_ - 1) / period_ * period_ : -1;
    }
    Verdict verdict{call == nextDue_, 0};
    if (verdict.isDue) nextDue_ += period_;
    if (calls_ < nextAsked_) return verdict;
    const auto now = Clock::now();
    const auto secondsSince = [now](Clock::time_point before) {
        return std::chrono::duration<double>(now - before).count();
    };
    // As many calls as take half a second, but no more than twice as many as before.
    const double perCall = secondsSince(asked_) / static_cast<double>(askedEvery_);
    const double wanted = std::clamp(0.5 / std::max(perCall, 1e-9), 1.0, 1e9);
    Asked asked{std::min(static_cast<Index>(wanted), 2 * askedEvery_), stopRequest(),
                every.seconds > 0 && secondsSince(saved_) >= every.seconds};
    const Entered entered = enter("every", apg(), 0, where);
    transport::combine(entered, apg(), {reinterpret_cast<char*>(&asked), sizeof asked, 1}, {join});
    askedEvery_ = asked.askedEvery;
    nextAsked_ = calls_ + askedEvery_;
    asked_ = now;
    if (asked.isDue) saved_ = now;
    verdict.isDue = verdict.isDue || asked.isDue;
    verdict.signal = asked.signal;
    return verdict;
}

}  // namespace hpspmd::detail
