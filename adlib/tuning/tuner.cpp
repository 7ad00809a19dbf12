// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tuning/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <hpspmd/error.hpp>
#include <numeric>
#include <utility>

#include "tuning/shares.hpp"
#include "tuning/speeds.hpp"

namespace hpspmd {
namespace detail {
namespace {

using Clock = CollectiveClock::Clock;

constexpr double worthMoving = 0.95;
constexpr Index partsOfRound = 4;
constexpr double leastBusy = 0.1;  // of a round; below that the time of a part says nothing
constexpr std::size_t longestReport = 20;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

int countOf(const std::vector<double>& weights) {
    return static_cast<int>(
        std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; }));
}

Index positive(Index every, Where where) {
    if (every < 1) throw BadExtent("Tuner: a round of " + std::to_string(every) + " steps", where);
    return every;
}

/// What two rounds show of a speed, in parts of the mean: the smaller difference from it.
double nearerToMean(double a, double b) {
    if ((a - 1) * (b - 1) <= 0) return 1;
    return std::abs(a - 1) < std::abs(b - 1) ? a : b;
}

}  // namespace

Tuning::Tuning(const Dimension& d, Mode mode, Index every, Where where)
    : dimension_(d),
      mode_(mode),
      every_(positive(every, where)),
      where_(where),
      isPretended_(arePretended()),
      speeds_(detail::speeds(Call("Tuner", where), 0, d, Probe())),
      before_(speeds_.size()),
      weights_(fastest(speeds_, mode == Mode::Grow ? 1 : static_cast<int>(speeds_.size()))),
      search_(static_cast<int>(speeds_.size()), mode == Mode::Grow) {
    const double mean = sum(speeds_) / static_cast<double>(speeds_.size());
    for (std::size_t c = 0; c < speeds_.size(); ++c) before_[c] = speeds_[c] / mean;
    ++collectiveClock.wanted;
}

bool Tuning::isSettled() const {
    return mode_ != Mode::Balance && search_.isSettled() && state_ != State::Fresh;
}

bool Tuning::next() {
    if (isSettled()) return false;
    if (state_ == State::Fresh) {
        state_ = State::Changed;
        return true;
    }
    if (state_ == State::Changed) {
        trial_ = SetTrial();
        beginRound();
        return false;
    }
    ++partSteps_;
    if (++steps_ == every_ || partSteps_ == std::max<Index>(every_ / partsOfRound, 1)) endPart();
    if (steps_ < every_) return false;
    const SetTrial::Times all = endRound();
    const bool isMoved = mode_ == Mode::Balance ? chooseParts(all.least) : chooseSet(all);
    if (isMoved)
        state_ = State::Changed;
    else
        beginRound();
    return isMoved;
}

void Tuning::beginRound() {
    state_ = State::Measured;
    steps_ = 0;
    partSteps_ = 0;
    insideBefore_ = collectiveClock.inside;
    begun_ = partBegun_ = Clock::now();
}

/// Of a round: what other work takes from a part of it does not count.
void Tuning::endPart() {
    const auto now = Clock::now();
    const bool isWhole = 2 * partSteps_ * partsOfRound > every_;
    if (isWhole) trial_.note(seconds(now - partBegun_) / static_cast<double>(partSteps_));
    partBegun_ = now;
    partSteps_ = 0;
}

/// The times of a step where it took longest; learns how fast each process computed.
SetTrial::Times Tuning::endRound() {
    const double own = seconds(Clock::now() - begun_),
                 busy = own - seconds(collectiveClock.inside - insideBefore_);
    const Call call("Tuner::next", where_);
    const int c = dimension_.crd();
    const double part = c < 0 ? 0 : weights_[static_cast<std::size_t>(c)] / sum(weights_);
    if (!isPretended_) learn(part > 0 && busy > leastBusy * own ? part / busy : 0);
    const SetTrial::Times here = trial_.times();
    const std::vector<double> all = largestOfAll(call, {here.least, here.second});
    return {all[0], all[1]};
}

/// `rate`: of this process, in parts of all work per second, 0 if it is not known. What is not
/// known keeps its speed in proportion to the others. Who looks for the best number believes only
/// what a second round shows as well.
void Tuning::learn(double rate) {
    const std::vector<double> rates = leastOfEach(Call("Tuner::next", where_), dimension_, rate);
    double before = 0, now = 0, known = 0;
    for (std::size_t c = 0; c < rates.size(); ++c)
        if (rates[c] > 0) {
            before += speeds_[c];
            now += rates[c];
            ++known;
        }
    if (now == 0) return;
    for (std::size_t c = 0; c < rates.size(); ++c) {
        if (rates[c] <= 0) {
            speeds_[c] *= now / before;
            continue;
        }
        const double shown = rates[c] * known / now;
        const double seen = std::exchange(before_[c], shown);
        speeds_[c] = mode_ == Mode::Balance ? rates[c] : now / known * nearerToMean(seen, shown);
    }
}

void Tuning::note(double seconds) {
    if (moved_.size() == longestReport) moved_.erase(moved_.begin());
    moved_.push_back({countOf(weights_), seconds});
}

bool Tuning::chooseSet(const SetTrial::Times& all) {
    if (!trial_.endsWith(all)) return false;
    trial_ = SetTrial();
    note(all.least);
    const int before = search_.current();
    search_.note(all.least);
    if (search_.current() == before) return false;
    weights_ = fastest(speeds_, search_.current());
    return true;
}

bool Tuning::chooseParts(double seconds) {
    trial_ = SetTrial();
    double now = 0;
    for (std::size_t c = 0; c < weights_.size(); ++c)
        if (speeds_[c] > 0) now = std::max(now, weights_[c] / sum(weights_) / speeds_[c]);
    if (moved_.empty()) note(seconds);
    if (1 / sum(speeds_) >= worthMoving * now) return false;
    note(seconds);
    weights_ = speeds_;
    return true;
}

Range Tuning::parts(const Range& x) const {
    if (x.isNull() || x.dim() != dimension_) return x;
    const RangeRecord& record = *x.record();
    const bool isAll = record.base == 0 && record.stride == 1 &&
                       record.extent == record.format->extent() && !record.isWhole;
    if (!isAll)
        throw AdlibError("Tuner::next: " + describe(x) +
                             " is a part of a range; arrays over all of it are meant",
                         where_);
    return IrregRange(shares(x.size(), weights_), dimension_, x.loExtension(), x.hiExtension(),
                      where_);
}

std::string Tuning::report() const {
    const char* const names[] = {"Grow", "Shrink", "Balance"};
    std::string text = std::string("Tuner, ") + names[mode_] + ": " +
                       std::to_string(moved_.size()) +
                       (mode_ == Mode::Balance ? " parts of the work" : " sets of processes") +
                       (isSettled() ? "\n" : " so far\n");
    const auto best =
        std::min_element(moved_.begin(), moved_.end(),
                         [](const Moved& a, const Moved& b) { return a.seconds < b.seconds; });
    for (auto each = moved_.begin(); each != moved_.end(); ++each) {
        char line[80];
        std::snprintf(line, sizeof line, "%6d process%s  %.3g s per step%s\n", each->processes,
                      each->processes == 1 ? "  " : "es", each->seconds, each == best ? " <" : "");
        text += line;
    }
    return text;
}

Range retuned(const Tuning& tuning, const Range& x) { return tuning.parts(x); }

}  // namespace detail

namespace Adlib {

Tuner::Tuner(const Dimension& d, Mode mode, Index every, detail::Where where)
    : where_(where), tuning_(std::make_unique<detail::Tuning>(d, mode, every, where)) {}
Tuner::~Tuner() = default;

bool Tuner::endsRound() { return tuning_->next(); }
bool Tuner::isSettled() const { return tuning_->isSettled(); }
std::string Tuner::report() const { return tuning_->report(); }

}  // namespace Adlib
}  // namespace hpspmd
