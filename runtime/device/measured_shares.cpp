// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/measured_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hpspmd::detail {
namespace {

constexpr double firstOfHost = 1.0 / 16;  // while parts are timed
constexpr int window = 24;                // executions; many time loops are divisors
constexpr int shortWindow = 6;            // for a set that takes so much longer than the best one
constexpr double hopeless = 1.5;

double sumOf(const std::vector<double>& shares) {
    return std::accumulate(shares.begin(), shares.end(), 0.0);
}

/// A process that is interrupted meanwhile does not count. 0 of none.
double medianOf(std::vector<double> numbers) {
    if (numbers.empty()) return 0;
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

}  // namespace

MeasuredShares::MeasuredShares(std::size_t devices)
    : devices_(devices), shares_(devices + 1, 1.0 / static_cast<double>(devices)) {
    shares_.back() = 0;
}

MeasuredShares::MeasuredShares(std::vector<int> kinds, bool grows)
    : MeasuredShares(kinds.size() - 1) {
    kinds_ = std::move(kinds);
    grows_ = grows;
}

int MeasuredShares::warmUp() const {
    constexpr int ofRows = 2, ofWindow = 4;
    return isWindow() ? ofWindow : ofRows;
}

int MeasuredShares::length() const {
    constexpr int parts = 7;
    if (phase_ == Phase::Settled) return untilTimedAgain;
    return warmUp() + (isWindow() ? window : phase_ == Phase::Parts ? parts : 0);
}

bool MeasuredShares::isBorder() const {
    return isWindow() && (count_ == warmUp() || count_ == length() || mayEndEarly());
}

bool MeasuredShares::mayEndEarly() const {
    return phase_ == Phase::Set && count_ == warmUp() + shortWindow && !sets_->tried().empty();
}

bool MeasuredShares::isHopeless(double now) const {
    return mayEndEarly() &&
           (now - start_) / shortWindow > hopeless * sets_->best().seconds / window;
}

void MeasuredShares::noteSet(double seconds) {
    sets_->note(seconds);
    if (sets_->isSettled()) return settle(sets_->shares());
    enter(Phase::Set, sets_->shares());
}

void MeasuredShares::begin(double now) {
    isNews_ = false;
    if (isHopeless(now)) noteSet((now - start_) * window / shortWindow);
    while (count_ == length()) enterNext(now);
    if (count_ == warmUp()) start_ = now;
    ++count_;
}

void MeasuredShares::took(std::size_t part, double iterations, double seconds) {
    costs_[part].push_back(seconds / iterations);
}

void MeasuredShares::enter(Phase phase, std::vector<double> shares) {
    phase_ = phase;
    count_ = 0;
    shares_ = std::move(shares);
}

void MeasuredShares::timeParts(std::vector<double> shares) {
    costs_.assign(devices_ + 1, {});
    enter(Phase::Parts, std::move(shares));
}

void MeasuredShares::settle(const std::vector<double>& shares) {
    constexpr double hardly = 0.01;
    double change = hasSettled_ ? 0 : 1;
    for (std::size_t k = 0; k < shares.size(); ++k)
        change = std::max(change, std::abs(shares[k] - shares_[k]));
    isNews_ = change >= hardly;
    hasSettled_ = true;
    enter(Phase::Settled, isNews_ ? shares : shares_);
}

void MeasuredShares::enterNext(double now) {
    const bool hasHost = shares_.back() > 0;
    switch (phase_) {
    case Phase::Equal: {
        std::vector<double> shares(devices_ + 1, (1 - firstOfHost) / static_cast<double>(devices_));
        shares.back() = firstOfHost;
        return timeParts(std::move(shares));
    }
    case Phase::Parts: {
        if (!hasSettled_ && !kinds_.empty()) return trySets();
        std::vector<double> shares = bySpeed(hasSettled_ && hasHost);
        if (!hasSettled_) return enter(Phase::Alone, std::move(shares));
        for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = (shares[k] + shares_[k]) / 2;
        return settle(shares);
    }
    case Phase::Alone: {
        secondsAlone_ = now - start_;
        std::vector<double> shares = bySpeed(true);
        if (shares.back() == 0) return settle(shares_);
        return enter(Phase::WithHost, std::move(shares));
    }
    case Phase::WithHost:
        return settle(now - start_ < (1 - least) * secondsAlone_ ? shares_ : bySpeed(false));
    case Phase::Set:
        return noteSet(now - start_);
    case Phase::Settled:
        return timeParts(shares_);
    }
}

/// A part that has not been timed, because the range is too small for it, has none.
std::vector<double> MeasuredShares::speeds() const {
    std::vector<double> result(devices_ + 1, 0);
    for (std::size_t k = 0; k <= devices_; ++k)
        if (const double cost = medianOf(costs_[k]); cost > 0) result[k] = 1 / cost;
    return result;
}

void MeasuredShares::trySets() {
    const std::vector<double> measured = speeds();
    if (sumOf(measured) == 0) return settle(MeasuredShares(devices_).shares_);
    sets_.emplace(kinds_, measured, grows_);
    enter(Phase::Set, sets_->shares());
}

std::vector<double> MeasuredShares::bySpeed(bool withHost) const {
    std::vector<double> speeds = this->speeds();
    if (!withHost) speeds.back() = 0;
    const double all = sumOf(speeds);
    for (double& each : speeds)
        if (each < least * all) each = 0;
    const double rest = sumOf(speeds);
    if (rest == 0) return MeasuredShares(devices_).shares_;
    for (double& each : speeds) each /= rest;
    return speeds;
}

}  // namespace hpspmd::detail
