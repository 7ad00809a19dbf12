// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/trial.hpp"

#include <hpspmd/environment.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "log.hpp"

namespace hpspmd::detail {
namespace {

/// A gain below is as likely noise, and calls the nest in parts for nothing.
constexpr double leastGain = 0.03;

bool isLogged() { return isLogWanted() && ownRank() == 0; }

Overlapping overlappingOfEnvironment() {
    const char* const value = std::getenv("HPSPMD_OVERLAP");
    const std::string_view text = value == nullptr ? "" : value;
    return text == "always"  ? Overlapping::Always
           : text == "never" ? Overlapping::Never
                             : Overlapping::Measured;
}

}  // namespace

Overlapping wantedOverlapping = overlappingOfEnvironment();

void Trial::note(double seconds) {
    if (!isOpen()) return;
    if (rounds_ >= warmUp) {
        Times& times = overlaps() ? together_ : apart_;
        times[static_cast<std::size_t>((rounds_ - warmUp) / 2)] = seconds;
    }
    ++rounds_;
    if (!isOpen()) decide();
}

double Trial::median(Times times) {
    std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
    return times[samples / 2];
}

void Trial::decide() {
    const double apart = median(apart_), together = median(together_);
    overlaps_ = together < apart * (1 - leastGain);
    if (isLogged())
        std::fprintf(stderr,
                     "hpspmd: %s:%d: writeHalo and the nest behind it take %.2f us one after the "
                     "other, %.2f us with messages under way: %s\n",
                     where_.file, where_.line, apart * 1e6, together * 1e6,
                     overlaps_ ? "under way" : "one after the other");
}

Trial& Trials::of(Where where) {
    for (const auto& trial : trials_)
        if (trial->where().line == where.line && trial->where().file == where.file) return *trial;
    return *trials_.emplace_back(std::make_unique<Trial>(where));
}

void setOverlapping(Overlapping wanted) { wantedOverlapping = wanted; }

}  // namespace hpspmd::detail
