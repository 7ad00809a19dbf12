// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parts in proportion to speeds, and which numbers of processes a Tuner tries.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>

#include "tuning/set_search.hpp"
#include "tuning/set_trial.hpp"
#include "tuning/shares.hpp"

namespace hpspmd::detail {
namespace {

using Sizes = std::vector<Index>;

TEST(Shares, AreInProportionToSpeeds) {
    EXPECT_EQ(shares(70, {1, 2, 4}), Sizes({10, 20, 40}));
    EXPECT_EQ(shares(10, {1, 2}), Sizes({3, 7}));  // 3.33 and 6.67
    EXPECT_EQ(shares(12, {0, 3, 1}), Sizes({0, 9, 3}));
    EXPECT_EQ(shares(0, {1, 2}), Sizes({0, 0}));
    EXPECT_EQ(shares(1, {1, 5, 1}), Sizes({0, 1, 0}));
}

TEST(Shares, AreEqualIfSpeedsAreAlike) {
    EXPECT_EQ(shares(9, {1, 1.09, 1.05}), Sizes({3, 3, 3}));
    EXPECT_EQ(shares(8, {1, 1.09, 1.05}), Sizes({3, 3, 2}));
    EXPECT_EQ(shares(8, {0, 1.09, 1.05}), Sizes({0, 4, 4}));
    EXPECT_NE(shares(1000, {1, 1.2}), Sizes({500, 500}));
}

TEST(Shares, GiveAwayEveryLocationAndNoneToSpeedZero) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<double> speeds(1 + random() % 9);
        for (double& speed : speeds)
            speed = random() % 4 == 0 ? 0 : 1e-3 * static_cast<double>(1 + random() % 100000);
        speeds[random() % speeds.size()] = 1;
        const Index n = random() % 3 == 0 ? random() % 5 : random() % 1000000;
        const Sizes sizes = shares(n, speeds);
        EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), Index{0}), n);
        for (std::size_t c = 0; c < speeds.size(); ++c) {
            EXPECT_GE(sizes[c], 0);
            if (speeds[c] == 0) {
                EXPECT_EQ(sizes[c], 0);
            }
        }
    }
}

TEST(Fastest, KeepsTheFirstOfEqualOnes) {
    const std::vector<double> speeds{1, 3, 2, 3};
    EXPECT_EQ(fastest(speeds, 1), std::vector<double>({0, 3, 0, 0}));
    EXPECT_EQ(fastest(speeds, 3), std::vector<double>({0, 3, 2, 3}));
    EXPECT_EQ(fastest(speeds, 9), speeds);
}

/// A step on the processes of a set: the work at their speeds, and messages.
double timeOf(const std::vector<double>& set, double perProcess) {
    const double speed = std::accumulate(set.begin(), set.end(), 0.0);
    return 1 / speed + perProcess * static_cast<double>(set.size());
}

/// The best of all sets, whichever they are.
double bestOfAll(const std::vector<double>& speeds, double perProcess) {
    double best = 1e300;
    for (unsigned set = 1; set < 1u << speeds.size(); ++set) {
        std::vector<double> members;
        for (std::size_t c = 0; c < speeds.size(); ++c)
            if ((set >> c & 1) != 0) members.push_back(speeds[c]);
        best = std::min(best, timeOf(members, perProcess));
    }
    return best;
}

SetSearch searched(const std::vector<double>& speeds, double perProcess, bool grows,
                   double noise = 0) {
    SetSearch search(static_cast<int>(speeds.size()), grows);
    std::mt19937 random(3);
    while (!search.isSettled()) {
        std::vector<double> members = fastest(speeds, search.current());
        members.erase(std::remove(members.begin(), members.end(), 0.0), members.end());
        search.note(timeOf(members, perProcess) *
                    (1 + noise * static_cast<double>(random() % 1000) / 1000));
    }
    return search;
}

TEST(SetSearch, FindsTheBestSetByElevenTrials) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> speeds(1 + random() % 12);
        for (double& speed : speeds) speed = 0.25 + 0.01 * static_cast<double>(random() % 400);
        const double perProcess = 0.001 * static_cast<double>(random() % 300);
        const double best = bestOfAll(speeds, perProcess);
        for (const bool grows : {false, true}) {
            const SetSearch search = searched(speeds, perProcess, grows);
            EXPECT_LE(search.tried().size(), 11u);
            EXPECT_LE(search.best().seconds, 1.05 * best)
                << speeds.size() << " processes, " << perProcess;
            EXPECT_EQ(search.current(), search.best().size);
        }
    }
}

TEST(SetSearch, FindsAGoodNumberOfManyProcesses) {
    for (const int processes : {64, 100, 1000})
        for (const double perProcess : {0.0, 1e-6, 1e-4, 1e-3, 1e-2, 1.0})
            for (const bool grows : {false, true}) {
                const std::vector<double> speeds(static_cast<std::size_t>(processes), 1.0);
                const SetSearch search = searched(speeds, perProcess, grows);
                double best = 1e300;
                for (int m = 1; m <= processes; ++m)
                    best = std::min(best, 1.0 / m + perProcess * m);
                EXPECT_LE(search.tried().size(), 11u);
                EXPECT_LE(search.best().seconds, 1.05 * best) << processes << ", " << perProcess;
            }
}

TEST(SetSearch, OneWorseSetDoesNotEndIt) {
    SetSearch search(8, true);
    for (const double seconds : {4.0, 5.0, 2.0, 1.0}) search.note(seconds);  // of 1, 2, 4, 8
    EXPECT_EQ(search.best().size, 8);
    SetSearch other(16, true);
    for (const double seconds : {4.0, 7.0, 8.0}) other.note(seconds);
    EXPECT_TRUE(other.isSettled());  // two are worse, and no number lies between 1 and 2
    EXPECT_EQ(other.current(), 1);
}

TEST(SetSearch, TriesThoseNearlyAsGoodOnceMore) {
    SetSearch search(4, true);
    for (const double seconds : {4.0, 2.0, 2.2, 3.0}) search.note(seconds);  // of 1, 2, 4, 3
    EXPECT_FALSE(search.isSettled());
    EXPECT_EQ(search.current(), 2);
    search.note(2.1);
    EXPECT_EQ(search.current(), 4);
    search.note(1.5);  // other work had made it slower
    EXPECT_EQ(search.best().size, 4);
    std::vector<int> again;
    for (; !search.isSettled(); search.note(1.9)) again.push_back(search.current());
    EXPECT_EQ(again, std::vector<int>({4, 2}));
    EXPECT_EQ(search.current(), 4);
}

/// Other work makes a third of all times up to 1.7 times as long.
TEST(SetSearch, FindsTheBestSetBesideOtherWork) {
    std::mt19937 random(5);
    int good = 0;
    const int searches = 400;
    for (int each = 0; each < searches; ++each) {
        const double perProcess = 0.001 * static_cast<double>(random() % 60);
        const std::vector<double> speeds(8, 1.0);
        SetSearch search(8, each % 2 == 0);
        while (!search.isSettled()) {
            const bool isDisturbed = random() % 3 == 0;
            const double longer = 0.001 * static_cast<double>(random() % 700);
            search.note(timeOf(std::vector<double>(search.current(), 1.0), perProcess) *
                        (isDisturbed ? 1 + longer : 1));
        }
        EXPECT_LE(search.tried().size(), 11u);
        const std::vector<double> chosen(search.current(), 1.0);
        good += timeOf(chosen, perProcess) <= 1.05 * bestOfAll(speeds, perProcess) ? 1 : 0;
    }
    EXPECT_GE(good, searches * 95 / 100);
}

TEST(SetTrial, IsRepeatedUntilASecondPartHasShownItsTime) {
    SetTrial steady;
    for (const double seconds : {1.3, 1.0, 1.04, 1.5}) steady.note(seconds);
    EXPECT_TRUE(steady.endsWith(steady.times()));
    EXPECT_EQ(steady.times().least, 1.0);
    SetTrial disturbed;
    for (const double seconds : {1.0, 1.4, 1.6}) disturbed.note(seconds);
    EXPECT_FALSE(disturbed.endsWith(disturbed.times()));
    disturbed.note(1.02);
    EXPECT_TRUE(disturbed.endsWith(disturbed.times()));
    SetTrial uncertain;
    uncertain.note(1.0);
    for (const bool isOver : {false, false, true})
        EXPECT_EQ(uncertain.endsWith(uncertain.times()), isOver);  // three rounds at most
}

/// Machines of 2 to 16 processes on which each time is a few per cent longer, and other work makes
/// a third of the parts of rounds up to twice, and a fifth of whole rounds up to 1.5 times as long.
TEST(SetSearch, FindsTheBestSetOfAThousandNoisyMachines) {
    std::mt19937 random(17);
    std::exponential_distribution<double> little(50);
    const auto part = [&](double most) {
        return most * static_cast<double>(random() % 1000) / 1000;
    };
    int good = 0;
    double rounds = 0, trials = 0;
    const int machines = 1000;
    for (int machine = 0; machine < machines; ++machine) {
        const int processes = 2 + static_cast<int>(random() % 15);
        const double perProcess = part(4.0) / (processes * processes);
        const auto timeOfSet = [&](int size) {
            return timeOf(std::vector<double>(static_cast<std::size_t>(size), 1.0), perProcess);
        };
        SetSearch search(processes, machine % 2 == 0);
        while (!search.isSettled()) {
            SetTrial trial;
            do {
                const double longer = random() % 5 == 0 ? 1 + part(0.5) : 1;
                for (int k = 0; k < 4; ++k)
                    trial.note(timeOfSet(search.current()) * longer * (1 + little(random)) *
                               (random() % 3 == 0 ? 1 + part(1.0) : 1));
                ++rounds;
            } while (!trial.endsWith(trial.times()));
            search.note(trial.times().least);
        }
        EXPECT_LE(search.tried().size(), 11u);
        trials += static_cast<double>(search.tried().size());
        double best = 1e300;
        for (int m = 1; m <= processes; ++m) best = std::min(best, timeOfSet(m));
        good += timeOfSet(search.current()) <= 1.05 * best ? 1 : 0;
    }
    EXPECT_GE(good, machines * 97 / 100);
    EXPECT_LE(rounds, 1.4 * trials);
    std::printf("%d of %d within 5 %%, %.2f rounds a trial\n", good, machines, rounds / trials);
}

TEST(SetSearch, OneProcessIsSettledAtOnce) {
    for (const bool grows : {false, true}) {
        SetSearch search(1, grows);
        EXPECT_EQ(search.current(), 1);
        search.note(1);
        EXPECT_TRUE(search.isSettled());
    }
}

}  // namespace
}  // namespace hpspmd::detail
