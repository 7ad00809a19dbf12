// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/device_sets.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hpspmd::detail {
namespace {

DeviceSets::Counts with(DeviceSets::Counts counts, std::size_t kind, int count) {
    counts[kind] = count;
    return counts;
}

}  // namespace

DeviceSets::DeviceSets(std::vector<int> kinds, std::vector<double> speeds, bool grows)
    : kinds_(std::move(kinds)), speeds_(std::move(speeds)), order_(speeds_.size()), grows_(grows) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return speeds_[a] > speeds_[b]; });
    most_.assign(static_cast<std::size_t>(*std::max_element(kinds_.begin(), kinds_.end())) + 1, 0);
    for (std::size_t k = 0; k < kinds_.size(); ++k)
        if (speeds_[k] > 0) ++most_[static_cast<std::size_t>(kinds_[k])];
    current_ = most_;
    if (grows_)
        current_ =
            with(Counts(most_.size(), 0), static_cast<std::size_t>(kinds_[order_.front()]), 1);
}

const DeviceSets::Tried& DeviceSets::best() const {
    return *std::min_element(tried_.begin(), tried_.end(),
                             [](const Tried& a, const Tried& b) { return a.seconds < b.seconds; });
}

bool DeviceSets::isNew(const Counts& counts) const {
    return std::any_of(counts.begin(), counts.end(), [](int count) { return count > 0; }) &&
           std::none_of(tried_.begin(), tried_.end(),
                        [&](const Tried& each) { return each.counts == counts; });
}

/// A part is timed with what it takes to begin, so that one that is far slower does not pay.
bool DeviceSets::mayBeFaster(const Counts& counts) const {
    constexpr double tooSlow = 16;
    return isNew(counts) && tooSlow * speedOf(counts) > speedOf(best().counts);
}

std::vector<DeviceSets::Counts> DeviceSets::larger(const Counts& from) const {
    std::vector<Counts> sets;
    for (const int factor : {2, 4})
        for (std::size_t k = 0; k < from.size(); ++k)
            if (from[k] > 0) sets.push_back(with(from, k, std::min(factor * from[k], most_[k])));
    for (std::size_t k = 0; k < from.size(); ++k)
        if (from[k] == 0) sets.push_back(with(from, k, std::min(1, most_[k])));
    for (std::size_t k = 0; k < from.size(); ++k)
        for (std::size_t l = 0; l < k; ++l)
            if (from[k] == 0 && from[l] == 0)
                sets.push_back(
                    with(with(from, k, std::min(1, most_[k])), l, std::min(1, most_[l])));
    return sets;
}

std::vector<DeviceSets::Counts> DeviceSets::smaller(const Counts& from) const {
    std::vector<Counts> sets;
    for (const int divisor : {2, 4})
        for (std::size_t k = 0; k < from.size(); ++k)
            if (from[k] >= divisor) sets.push_back(with(from, k, from[k] / divisor));
    for (std::size_t k = 0; k < from.size(); ++k) sets.push_back(with(from, k, 0));
    return sets;
}

/// Halfway to the nearest numbers of a kind that were tried beside the same of the other kinds.
std::vector<DeviceSets::Counts> DeviceSets::between(const Counts& from) const {
    std::vector<Counts> sets;
    for (std::size_t k = 0; k < from.size(); ++k) {
        int below = 0, above = most_[k] + 1;
        for (const Tried& each : tried_) {
            if (with(each.counts, k, from[k]) != from) continue;
            if (each.counts[k] < from[k]) below = std::max(below, each.counts[k]);
            if (each.counts[k] > from[k]) above = std::min(above, each.counts[k]);
        }
        if (above - from[k] > 1) sets.push_back(with(from, k, from[k] + (above - from[k]) / 2));
        if (from[k] - below > 1) sets.push_back(with(from, k, from[k] - (from[k] - below) / 2));
    }
    return sets;
}

/// All of another kind, beside the best ones or in their place.
std::vector<DeviceSets::Counts> DeviceSets::otherwise(const Counts& from) const {
    std::vector<Counts> sets;
    for (std::size_t k = 0; k < from.size(); ++k) {
        sets.push_back(with(from, k, most_[k]));
        sets.push_back(with(Counts(from.size(), 0), k, most_[k]));
    }
    return sets;
}

double DeviceSets::speedOf(const Counts& counts) const {
    Counts left = counts;
    double sum = 0;
    for (const std::size_t part : order_)
        if (left[static_cast<std::size_t>(kinds_[part])]-- > 0) sum += speeds_[part];
    return sum;
}

/// What a set does to the time of a nest: work, and what each part of a kind takes besides.
std::vector<double> DeviceSets::causes(const Counts& counts) const {
    std::vector<double> result{1 / speedOf(counts)};
    result.insert(result.end(), counts.begin(), counts.end());
    return result;
}

/// How much each cause takes: least squares of the relative errors, none negative.
std::vector<double> DeviceSets::fitted() const {
    constexpr int rounds = 200;
    std::vector<std::vector<double>> all;
    for (const Tried& each : tried_) {
        all.push_back(causes(each.counts));
        for (double& cause : all.back()) cause /= each.seconds;
    }
    std::vector<double> weights(most_.size() + 1, 0);
    for (int round = 0; round < rounds; ++round)
        for (std::size_t j = 0; j < weights.size(); ++j) {
            double product = 0, square = 0;
            for (const std::vector<double>& a : all) {
                const double rest =
                    1 - std::inner_product(a.begin(), a.end(), weights.begin(), 0.0);
                product += a[j] * (rest + a[j] * weights[j]);
                square += a[j] * a[j];
            }
            if (square > 0) weights[j] = std::max(product / square, 0.0);
        }
    return weights;
}

double DeviceSets::predicted(const Counts& counts, const std::vector<double>& weights) const {
    const std::vector<double> a = causes(counts);
    return std::inner_product(a.begin(), a.end(), weights.begin(), 0.0);
}

/// Of all sets that are new, the one that should be fastest by the times so far. Empty if none
/// should be faster than the best one.
DeviceSets::Counts DeviceSets::fastest(const std::vector<double>& weights) const {
    double least = best().seconds;
    Counts result, counts(most_.size(), 0);
    for (std::size_t k = 0; k < counts.size();) {
        if (mayBeFaster(counts)) {
            const double time = predicted(counts, weights);
            if (time < least) {
                least = time;
                result = counts;
            }
        }
        for (k = 0; k < counts.size() && counts[k] == most_[k]; ++k) counts[k] = 0;
        if (k < counts.size()) ++counts[k];
    }
    return result;
}

/// Empty if there is nothing left to try.
DeviceSets::Counts DeviceSets::next() const {
    constexpr double tooLong = 3;  // times the best one
    const Counts& from = best().counts;
    std::vector<double> weights;
    if (tried_.size() > most_.size()) {
        weights = fitted();
        if (Counts counts = fastest(weights); !counts.empty()) return counts;
    }
    const auto first = grows_ ? larger(from) : smaller(from),
               last = grows_ ? smaller(from) : larger(from);
    for (const auto& sets : {first, otherwise(from), between(from), last})
        for (const Counts& each : sets)
            if (mayBeFaster(each) &&
                (weights.empty() || predicted(each, weights) < tooLong * best().seconds))
                return each;
    return {};
}

void DeviceSets::note(double seconds) {
    if (isSettled_) return;
    tried_.push_back({current_, seconds});
    Counts candidate = tried_.size() < mostTrials ? next() : Counts();
    isSettled_ = candidate.empty();
    current_ = isSettled_ ? best().counts : std::move(candidate);
}

std::vector<double> DeviceSets::shares() const {
    std::vector<double> result(speeds_.size(), 0);
    Counts left = current_;
    double sum = 0;
    for (const std::size_t part : order_) {
        int& ofKind = left[static_cast<std::size_t>(kinds_[part])];
        if (ofKind <= 0 || speeds_[part] <= 0) continue;
        --ofKind;
        result[part] = speeds_[part];
        sum += speeds_[part];
    }
    for (double& each : result) each /= sum;
    return result;
}

}  // namespace hpspmd::detail
