// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a run records: estimates of times, summaries, clocks of several machines.

#include "observe/gathering.hpp"
#include "observe/recorder.hpp"

#include <gtest/gtest.h>

namespace hpspmd::detail {
namespace {

/// Executions of so many ticks each.
SiteRecord executed(std::uint64_t count, std::uint64_t (*ticks)(std::uint64_t),
                    std::uint64_t& timed, const Stopwatch& watch = {}) {
    SiteRecord site(0, "nest", {"a.hpcpp", 3});
    timed = 0;
    for (std::uint64_t k = 0; k < count; ++k)
        if (site.begin()) {
            ++timed;
            site.addTime(ticks(k), ticks(k) / 2, watch);
        }
    return site;
}

TEST(Sampling, LongExecutionsAreAllTimed) {
    std::uint64_t timed = 0;
    const SiteRecord site = executed(
        1000, [](std::uint64_t) { return std::uint64_t{150'000}; }, timed);
    EXPECT_EQ(timed, 1000u);
    EXPECT_FALSE(site.isSampled());
    EXPECT_DOUBLE_EQ(site.time().total().ticks, 150e6);
    EXPECT_DOUBLE_EQ(site.time().total().waiting, 75e6);
}

TEST(Sampling, TimingShortExecutionsTakesLessThanOneInFiveHundred) {
    std::uint64_t timed = 0;
    const SiteRecord site = executed(
        1'000'000, [](std::uint64_t) { return std::uint64_t{100}; }, timed);
    EXPECT_TRUE(site.isSampled());
    EXPECT_DOUBLE_EQ(site.time().total().ticks, 1e8);
    EXPECT_LT(static_cast<double>(timed - 64) * 150, 0.002 * 1e8);
    EXPECT_GT(timed, 400u);
}

// Where the processor's counter is slow to read, as on some virtual machines.
TEST(Sampling, FewerAreTimedWhereThatTakesLonger) {
    std::uint64_t timed = 0;
    const auto ticks = [](std::uint64_t) { return std::uint64_t{5000}; };
    for (const double cost : {10.0, 150.0, 2000.0}) {
        executed(1'000'000, ticks, timed, {cost, 1});
        EXPECT_LT(static_cast<double>(timed - 64) * cost, 0.002 * 5e9) << cost;
        EXPECT_GT(static_cast<double>(timed) * cost, 0.0004 * 5e9) << cost;
    }
}

TEST(Sampling, ProcessesAgreeOnWhatTimingTakes) {
    for (const double measured : {0.0, 30.0, 150.0}) EXPECT_EQ(agreedCost(measured), 150);
    for (const double measured : {151.0, 220.0, 300.0}) EXPECT_EQ(agreedCost(measured), 300);
    EXPECT_EQ(agreedCost(2000), 2400);
}

TEST(Sampling, WhatAlternatesIsMetInAllItsPhases) {
    std::uint64_t timed = 0;
    const auto alternating = [](std::uint64_t k) {
        return std::uint64_t{k % 2 == 0 ? 100u : 1900u};
    };
    const SiteRecord site = executed(1'000'000, alternating, timed);
    EXPECT_LT(timed, 10'000u);
    EXPECT_NEAR(site.time().total().ticks, 1e9, 2e7);
}

TEST(Sampling, StallsCountAsTheyWere) {
    SiteRecord site(0, "nest", {"a.hpcpp", 3});
    constexpr std::uint64_t count = 1'000'000, stall = 10'000'000;
    bool hasStalled = false;
    for (std::uint64_t k = 0; k < count; ++k)
        if (site.begin()) {
            const bool stalls = k > count / 2 && !hasStalled;
            hasStalled |= stalls;
            site.addTime(stalls ? stall : 100, stalls ? stall : 0, {});
        }
    EXPECT_NEAR(site.time().total().ticks, 1e8 + stall, 0.05e8);
    EXPECT_NEAR(site.time().total().waiting, stall, 0.05e8);
}

TEST(Sampling, LongExecutionsThatComeAgainStandForOthers) {
    std::uint64_t timed = 0;
    const auto sometimes = [](std::uint64_t k) {
        return std::uint64_t{k % 37 == 5 ? 20'000u : 100u};
    };
    const SiteRecord site = executed(1'000'000, sometimes, timed);
    const double exact = 1e6 / 37 * (20'000 + 36 * 100);
    EXPECT_LT(timed, 20'000u);
    EXPECT_NEAR(site.time().total().ticks, exact, 0.2 * exact);
}

// One that waits for another that is timed would take longer itself.
TEST(Sampling, ProcessesTimeTheSameExecutions) {
    SiteRecord one(0, "nest", {"a.hpcpp", 3}), other = one;
    int both = 0, either = 0;
    for (int k = 0; k < 100'000; ++k) {
        const bool first = one.begin(), second = other.begin();
        both += first && second;
        either += first || second;
        if (first) one.addTime(1000 + static_cast<std::uint64_t>(k % 7), 0, {});
        if (second) other.addTime(1100 + static_cast<std::uint64_t>(k % 5), 100, {});
    }
    EXPECT_EQ(both, either);
    EXPECT_LT(either, 1000);
}

double sumOf(const std::vector<SiteTime>& sites) {
    double sum = 0;
    for (const SiteTime& site : sites) sum += site.total().ticks;
    return sum;
}

TEST(Limit, TakesFromWhatIsTheLeastCertain) {
    std::vector<SiteTime> sites{{{30, 3, 68}, {80, 8, 64}, {40, 20, 4}}};
    limit(sites, 100);
    EXPECT_DOUBLE_EQ(sites[0].measured.ticks, 30);
    EXPECT_DOUBLE_EQ(sites[0].usual.ticks, 70);
    EXPECT_DOUBLE_EQ(sites[0].usual.waiting, 7);
    EXPECT_DOUBLE_EQ(sites[0].lasting.ticks, 0);
    EXPECT_DOUBLE_EQ(sites[0].lasting.waiting, 0);
}

TEST(Limit, LeavesAloneWhatIsWithinIt) {
    std::vector<SiteTime> sites{{{30, 0, 64}, {60, 0, 10}, {}}, {{5, 0, 1}, {}, {}}};
    limit(sites, 100);
    EXPECT_DOUBLE_EQ(sumOf(sites), 95);
}

// Also where one estimate alone exceeds all, and of estimates without any ticks.
TEST(Limit, AddsUpToTheWhole) {
    std::vector<SiteTime> sites{{{10, 0, 64}, {50, 0, 1000}, {1e6, 9e5, 4}},
                                {{20, 0, 64}, {0, 0, 7}, {}},
                                {{1, 0, 64}, {3, 0, 0}, {2, 0, 5}}};
    limit(sites, 70);
    EXPECT_NEAR(sumOf(sites), 70, 1e-9);
    EXPECT_GT(sites[0].usual.ticks, 30);
    for (const SiteTime& site : sites) {
        EXPECT_GE(site.lasting.ticks, 0);
        EXPECT_LE(site.lasting.waiting, site.lasting.ticks);
    }
    limit(sites, 0);
    EXPECT_DOUBLE_EQ(sumOf(sites), 31);  // what was measured
}

// Stalls that were timed by chance, a few times, would stand for a thousand times as many.
TEST(Limit, StallsDoNotExceedTheRun) {
    SiteRecord site(0, "nest", {"a.hpcpp", 3});
    std::uint64_t timed = 0, all = 0;
    for (int k = 0; k < 1'000'000; ++k) {
        const bool isTimed = site.begin();
        const std::uint64_t taken = isTimed && ++timed % 100 == 99 ? 1'000'000 : 1000;
        all += taken;
        if (isTimed) site.addTime(taken, 0, {});
    }
    std::vector<SiteTime> sites{site.time()};
    EXPECT_GT(sumOf(sites), 1.5 * static_cast<double>(all));
    limit(sites, static_cast<double>(all));
    EXPECT_NEAR(sumOf(sites), static_cast<double>(all), 1e-6 * static_cast<double>(all));
    EXPECT_GT(sites[0].usual.ticks, 0.9e9);
}

TEST(Recorded, IsReadBackFromItsText) {
    RecordedProcess process;
    process.process = 3;
    process.seconds = 0.1;
    process.outside = {5, 60};
    process.sites = {{"a folder/a.hpcpp",
                      "finish of writeHalo",
                      12,
                      100,
                      99,
                      1.0 / 3,
                      2e-9,
                      true,
                      {7, 1ull << 40},
                      {{"\"kind\": \"plan\", \"arrays\": []", 12}, {"\"kind\": \"combine\"", 1}}},
                     {"", "nest", 0, 0, 0, 0, 0, false, {}, {}}};
    const RecordedProcess read = RecordedProcess::read(process.text());
    EXPECT_EQ(read.text(), process.text());
    ASSERT_EQ(read.sites.size(), 2u);
    EXPECT_EQ(read.sites[0].file, "a folder/a.hpcpp");
    EXPECT_EQ(read.sites[0].what, "finish of writeHalo");
    EXPECT_EQ(read.sites[0].seconds, 1.0 / 3);
    EXPECT_EQ(read.sites[0].sent.bytes, 1ull << 40);
    EXPECT_EQ(read.sites[0].communications, process.sites[0].communications);
    EXPECT_TRUE(read.sites[1].communications.empty());
}

TEST(Clocks, DifferenceIsThatOfTheQuickestAnswer) {
    EXPECT_EQ(clockDifference({{0, 5'000'300, 5000}, {10'000, 5'010'250, 10'500}}), 5'000'000);
    EXPECT_EQ(clockDifference({{0, -4'999'900, 200}}), -5'000'000);
}

TEST(Clocks, WhatCannotBeToldApartCountsAsEqual) {
    EXPECT_EQ(clockDifference({{0, 900, 1000}}), 0);
    EXPECT_EQ(clockDifference({{0, 100, 1000}}), 0);
}

}  // namespace
}  // namespace hpspmd::detail
