// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sets of pretended devices, and of a host, are tried, and whether the best of all is found.
#include "device/device_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace hpspmd::detail {
namespace {

struct Machine {
    std::vector<int> kinds;      // of each part; the host is of a kind of its own
    std::vector<double> speeds;  // of each part
    std::vector<double> delays;  // what a nest takes longer with a part of that kind

    double noise = 0;

    double timeOf(const std::vector<double>& shares) const {
        double longest = 0, delay = 0;
        for (std::size_t k = 0; k < shares.size(); ++k)
            if (shares[k] > 0) {
                longest = std::max(longest, shares[k] / speeds[k]);
                delay += delays[static_cast<std::size_t>(kinds[k])];
            }
        return longest + delay;
    }
    /// Of all sets, whichever they are.
    double best() const {
        double least = 1e300;
        for (unsigned set = 1; set < 1u << kinds.size(); ++set) {
            std::vector<double> shares(kinds.size(), 0);
            double sum = 0;
            for (std::size_t k = 0; k < kinds.size(); ++k) {
                shares[k] = (set >> k & 1) != 0 ? speeds[k] : 0;
                sum += shares[k];
            }
            for (double& each : shares) each /= sum;
            least = std::min(least, timeOf(shares));
        }
        return least;
    }
    DeviceSets tune(bool grows) const {
        DeviceSets sets(kinds, speeds, grows);
        std::mt19937 random(5);
        while (!sets.isSettled())
            sets.note(timeOf(sets.shares()) *
                      (1 + noise * static_cast<double>(random() % 1000) / 1000));
        return sets;
    }
};

void expectBest(const Machine& machine, const std::string& name) {
    for (const bool grows : {true, false}) {
        const DeviceSets sets = machine.tune(grows);
        EXPECT_LE(sets.tried().size(), 11u) << name;
        EXPECT_LE(machine.timeOf(sets.shares()), (1.05 + machine.noise) * machine.best())
            << name << (grows ? ", grow" : ", shrink");
    }
}

TEST(DeviceSets, TheBestOfAllIsFoundByElevenTrials) {
    std::mt19937 random(17);
    const auto some = [&](double least, double most) {
        return least + (most - least) * static_cast<double>(random() % 1000) / 1000;
    };
    for (int trial = 0; trial < 300; ++trial) {
        Machine machine;
        const int kinds = 2 + static_cast<int>(random() % 2);  // the last one is the host
        for (int kind = 0; kind < kinds; ++kind) {
            const double usual = some(0.1, 4);
            const std::size_t count = kind + 1 == kinds ? 1 : 1 + random() % (kinds == 2 ? 8 : 4);
            for (std::size_t k = 0; k < count; ++k) {
                machine.kinds.push_back(kind);
                machine.speeds.push_back(usual * some(0.9, 1.1));
            }
            machine.delays.push_back(random() % 3 == 0 ? 0 : some(0, 0.3));
        }
        expectBest(machine, "trial " + std::to_string(trial));
        machine.noise = 0.03;
        expectBest(machine, "with noise, trial " + std::to_string(trial));
    }
}

TEST(DeviceSets, WhereTheyBegin) {
    const std::vector<int> kinds{0, 0, 1};
    EXPECT_EQ(DeviceSets(kinds, {1, 3, 2}, true).shares(), std::vector<double>({0, 1, 0}));
    EXPECT_EQ(DeviceSets(kinds, {1, 3, 4}, true).shares(), std::vector<double>({0, 0, 1}));
    EXPECT_EQ(DeviceSets(kinds, {1, 1, 2}, false).shares(), std::vector<double>({0.25, 0.25, 0.5}));
}

TEST(DeviceSets, PartsWithoutSpeedAreInNone) {
    for (const bool grows : {true, false}) {
        DeviceSets sets({0, 0, 1}, {2, 0, 0}, grows);
        EXPECT_EQ(sets.shares(), std::vector<double>({1, 0, 0}));
        sets.note(1);
        EXPECT_TRUE(sets.isSettled());
        EXPECT_EQ(sets.shares(), std::vector<double>({1, 0, 0}));
        sets.note(0.5);
        EXPECT_EQ(sets.tried().size(), 1u);
    }
}

}  // namespace
}  // namespace hpspmd::detail
