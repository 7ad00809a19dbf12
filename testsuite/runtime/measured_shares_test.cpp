// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares of pretended devices, which take so long for an iteration each, and the host.
#include "device/measured_shares.hpp"
#include "device/kept_shares.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hpspmd::detail {
namespace {

struct Machine {
    std::vector<double> costs;  // of an iteration, of each device and of the host
    double ofHost = 0;          // what a nest takes longer if the host has a part
    double ofSeveral = 0;       // and if several devices have one
    double iterations = 1000;
    double now = 5;
    MeasuredShares shares{costs.size() - 1};
    int news = 0, timed = 0, interrupted = 0;

    void run(int nests) {
        for (int k = 0; k < nests; ++k) {
            shares.begin(now);
            news += shares.isNews() ? 1 : 0;
            timed += shares.timesParts() ? 1 : 0;
            double longest = 0, all = 0;
            int devices = 0;
            for (std::size_t part = 0; part < costs.size(); ++part) {
                const double count = iterations * shares.shares()[part];
                const bool isLate = part == 1 && interrupted > 0 && shares.timesParts();
                const double seconds = count * costs[part] + (isLate ? 1e6 : 0);
                interrupted -= isLate ? 1 : 0;
                devices += part + 1 < costs.size() && count > 0 ? 1 : 0;
                if (shares.timesParts() && count > 0) shares.took(part, count, seconds);
                longest = std::max(longest, seconds);
                all += seconds;
            }
            now += (shares.timesParts() ? all : longest) +
                   (shares.shares().back() > 0 ? ofHost : 0) + (devices > 1 ? ofSeveral : 0);
        }
    }
};

void expectShares(const Machine& machine, const std::vector<double>& expected) {
    double sum = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(machine.shares.shares()[k], expected[k], 0.001) << "part " << k;
        sum += machine.shares.shares()[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(MeasuredShares, FollowFromSpeeds) {
    struct Row {
        std::vector<double> costs;
        double ofHost;
        std::vector<double> expected;
    };
    const std::vector<Row> table = {
        {{1, 1, 1000}, 0, {0.5, 0.5, 0}},    // a host that is too slow
        {{1, 3, 1000}, 0, {0.75, 0.25, 0}},  // devices of unequal speed
        {{1, 1, 2}, 0, {0.4, 0.4, 0.2}},     // a host that helps
        {{1, 1, 2}, 200, {0.5, 0.5, 0}},     // and one that does not, because of copies
        {{1, 50, 1000}, 0, {1, 0, 0}},       // a device that is too slow
        {{1, 4}, 0, {0.8, 0.2}},             // one device and the host
        {{4, 1}, 1000, {0.2, 0.8}},          // where the host is what is fast
        {{1, 100}, 0, {1, 0}},
    };
    for (const Row& row : table) {
        Machine machine{row.costs, row.ofHost};
        machine.run(100);
        EXPECT_EQ(machine.news, 1);
        EXPECT_EQ(machine.timed, 7);
        expectShares(machine, row.expected);
    }
}

TEST(MeasuredShares, APartThatWasInterruptedDoesNotCount) {
    Machine machine{{1, 1, 1000}};
    machine.interrupted = 3;  // of 7
    machine.run(100);
    expectShares(machine, {0.5, 0.5, 0});
}

TEST(MeasuredShares, BeginEqual) {
    Machine machine{{1, 9, 9}};
    expectShares(machine, {0.5, 0.5, 0});
    machine.run(2);
    expectShares(machine, {0.5, 0.5, 0});
}

TEST(MeasuredShares, MoveHalfOfTheWay) {
    Machine machine{{1, 1, 1000}};
    machine.run(200);
    machine.costs = {1, 3, 1000};
    machine.run(MeasuredShares::untilTimedAgain);
    expectShares(machine, {0.625, 0.375, 0});
    machine.run(MeasuredShares::untilTimedAgain);
    expectShares(machine, {0.6875, 0.3125, 0});
    EXPECT_EQ(machine.news, 3);
    machine.costs = {1, 2.3, 1000};  // what is there already, nearly
    machine.run(MeasuredShares::untilTimedAgain + 10);
    EXPECT_EQ(machine.news, 3);
    expectShares(machine, {0.6875, 0.3125, 0});
}

TEST(MeasuredShares, PartsThatAreNotTimedHaveNoShare) {
    MeasuredShares shares(2);
    for (int k = 0; k < 200; ++k) {
        shares.begin(k);
        if (shares.timesParts()) shares.took(0, 8, 0.1);
    }
    EXPECT_EQ(shares.shares(), (std::vector<double>{1, 0, 0}));
    MeasuredShares none(2);
    for (int k = 0; k < 200; ++k) none.begin(k);
    EXPECT_EQ(none.shares(), (std::vector<double>{0.5, 0.5, 0}));
}

/// Devices of one kind, and the host: which set is kept.
TEST(MeasuredShares, SetsAreTuned) {
    struct Row {
        std::vector<double> costs;
        double ofHost;
        std::vector<double> expected;
    };
    const std::vector<Row> table = {
        {{1, 1, 2}, 0, {0.4, 0.4, 0.2}},        // all
        {{1, 1, 2}, 200, {0.5, 0.5, 0}},        // all without the host
        {{1, 1, 0.5}, 200, {0.25, 0.25, 0.5}},  // the host, although it takes longer to begin
        {{1, 3, 1000}, 0, {0.75, 0.25, 0}},    {{3, 1, 1000}, 10000, {0.25, 0.75, 0}},
    };
    for (const Row& row : table)
        for (const bool grows : {true, false}) {
            Machine machine{row.costs, row.ofHost};
            machine.shares = MeasuredShares({0, 0, 1}, grows);
            machine.run(400);
            EXPECT_EQ(machine.news, 1);
            EXPECT_LE(machine.shares.sets(), 5u);
            for (std::size_t k = 0; k < row.expected.size(); ++k)
                EXPECT_NEAR(machine.shares.shares()[k], row.expected[k], 0.002)
                    << "part " << k << " of costs " << row.costs[0] << ", " << row.costs[1];
            machine.run(MeasuredShares::untilTimedAgain);
            EXPECT_EQ(machine.news, 1);
        }
    MeasuredShares none({0, 0, 1}, true);  // parts that are too small are never timed
    for (int k = 0; k < 200; ++k) none.begin(k);
    EXPECT_EQ(none.shares(), (std::vector<double>{0.5, 0.5, 0}));
    EXPECT_EQ(none.sets(), 0u);
}

// Two devices are slower than one, as where rows go to and fro, and the host is far slower: of 400
// nests, those of the trials take little.
TEST(MeasuredShares, WhatDoesNotPayIsSeenSoon) {
    for (const double ofHost : {0.0, 50.0})
        for (const double ofSeveral : {800.0, 2000.0})
            for (const double host : {15.0, 100.0})
                for (const bool grows : {true, false}) {
                    Machine machine{{1, 1, host}, ofHost, ofSeveral};
                    machine.shares = MeasuredShares({0, 0, 1}, grows);
                    const double begin = machine.now;
                    machine.run(400);
                    EXPECT_LE((machine.now - begin) / (400 * machine.iterations), 1.35)
                        << ofHost << ", " << ofSeveral << ", " << host << ", " << grows;
                    EXPECT_EQ(machine.shares.shares()[1], 0);
                }
}

TEST(MeasuredShares, MayBeKnownFromBefore) {
    Machine machine{{1, 3, 1000}};
    machine.shares.settleOn({0.5, 0.3, 0.2});
    machine.run(MeasuredShares::untilTimedAgain);
    EXPECT_EQ(machine.timed, 0);
    expectShares(machine, {0.5, 0.3, 0.2});
    machine.run(20);
    EXPECT_EQ(machine.timed, 7);
    EXPECT_GT(machine.shares.shares()[0], 0.6);
}

TEST(KeptShares, AreSharesOrNothing) {
    EXPECT_EQ(sharesIn("0.75 0.25 0 ", 3), (std::vector<double>{0.75, 0.25, 0}));
    EXPECT_EQ(sharesIn("1", 1), std::vector<double>{1});
    for (const char* const text : {"", "0.75 0.25", "0.75 0.25 0 0", "0.75 0.35 0", "1.5 -0.5 0",
                                   "nan 1 0", "0.75 0.25 x", "0.75 0.25 0 x", "a", "1e999 0 0"})
        EXPECT_FALSE(sharesIn(text, 3)) << text;
}

TEST(MeasuredShares, DevicesAreDoneWhereAWindowBeginsAndEnds) {
    Machine machine{{1, 1, 2}};
    int borders = 0;
    for (int k = 0; k < 100; ++k) {
        borders += machine.shares.isBorder() ? 1 : 0;
        machine.run(1);
    }
    EXPECT_EQ(borders, 4);
}

}  // namespace
}  // namespace hpspmd::detail
