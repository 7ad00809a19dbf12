// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tuning/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hpspmd::detail {
namespace {

constexpr double alike = 1.1;

std::vector<double> withoutNoise(const std::vector<double>& speeds) {
    double least = 0, most = 0;
    for (const double speed : speeds) {
        if (speed > 0 && (least == 0 || speed < least)) least = speed;
        most = std::max(most, speed);
    }
    if (most > alike * least) return speeds;
    std::vector<double> equal;
    for (const double speed : speeds) equal.push_back(speed > 0 ? 1 : 0);
    return equal;
}

}  // namespace

std::vector<Index> shares(Index n, const std::vector<double>& speeds) {
    const std::vector<double> weights = withoutNoise(speeds);
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<Index> sizes;
    std::vector<double> fractions;
    Index left = n;
    for (const double weight : weights) {
        const double exact = static_cast<double>(n) * (weight / all);
        sizes.push_back(std::min(static_cast<Index>(std::floor(exact)), left));
        fractions.push_back(weight > 0 ? exact - std::floor(exact) : -1);
        left -= sizes.back();
    }
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return fractions[a] > fractions[b]; });
    for (std::size_t k = 0; left > 0;
         k = k + 1 < order.size() && fractions[order[k + 1]] >= 0 ? k + 1 : 0) {
        ++sizes[order[k]];
        --left;
    }
    return sizes;
}

std::vector<double> fastest(const std::vector<double>& speeds, int count) {
    std::vector<std::size_t> order(speeds.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return speeds[a] > speeds[b]; });
    std::vector<double> result(speeds.size(), 0.0);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count) && k < order.size(); ++k)
        result[order[k]] = speeds[order[k]];
    return result;
}

}  // namespace hpspmd::detail
