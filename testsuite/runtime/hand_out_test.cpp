// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are handed out to pretended devices, and to a host, which take so long for a row each.
#include "device/hand_out.hpp"

#include <gtest/gtest.h>

#include <hpspmd/target.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace hpspmd::detail {
namespace {

using Cost = std::function<double(Index row)>;

struct Job {
    std::vector<double> speeds;  // of devices, and of the host
    Index rows;
    int schedule;
    Cost cost = [](Index) { return 1.0; };
    std::vector<int> ahead = std::vector<int>(speeds.size() - 1, 1);

    std::vector<Index> chunks = {};  // where each begins
    std::vector<Index> rowsOf = {};  // how many each has run
    double seconds = 0;

    /// In pretended time; all rows are to be run once, in order.
    void run() {
        const std::size_t host = speeds.size() - 1;
        HandOut handOut(0, rows - 1, schedule, ahead);
        std::vector<double> free(speeds.size(), 0.0);  // when each is done
        rowsOf.assign(speeds.size(), 0);
        chunks.clear();
        double now = 0;
        Index next = 0;
        while (!handOut.isEmpty()) {
            std::vector<bool> isBusy;
            for (std::size_t k = 0; k < host; ++k) isBusy.push_back(free[k] > now);
            const auto given = handOut.next(isBusy);
            if (given.empty()) {
                now = *std::min_element(free.begin(), free.end() - 1);
                continue;
            }
            for (const auto& each : given) {
                ASSERT_EQ(each.first, next);
                ASSERT_LE(each.first, each.last);
                next = each.last + 1;
                chunks.push_back(each.first);
                rowsOf[each.worker] += each.last - each.first + 1;
                free[each.worker] = std::max(free[each.worker], now);
                for (Index row = each.first; row <= each.last; ++row)
                    free[each.worker] += cost(row) / speeds[each.worker];
            }
            now = std::max(now, free[host]);
        }
        ASSERT_EQ(next, rows);
        ahead = handOut.ahead();
        seconds = *std::max_element(free.begin(), free.end());
    }
};

TEST(HandOut, ChunksFollowFromTheScheduleAlone) {
    for (const int schedule : {guidedShare, dynamicShare + 1, dynamicShare + 7})
        for (const Index rows : {1, 6, 7, 8, 100, 1001}) {
            Job one{{1, 1, 1}, rows, schedule}, other{{3, 0.1, 7}, rows, schedule};
            one.run();
            other.run();
            EXPECT_EQ(one.chunks, other.chunks) << schedule << ", " << rows;
        }
}

TEST(HandOut, Dynamic) {
    Job job{{1, 1}, 50, dynamicShare + 20};
    job.run();
    EXPECT_EQ(job.chunks, std::vector<Index>({0, 20, 40}));
    EXPECT_EQ(HandOut(0, 49, dynamicShare + 20, {1}).countLeft(), 3);
    EXPECT_EQ(HandOut(5, 9, dynamicShare + 5, {1}).countLeft(), 1);
}

TEST(HandOut, GuidedChunksBecomeSmaller) {
    Job job{{1, 1}, 64, guidedShare};
    job.run();
    EXPECT_EQ(job.chunks, std::vector<Index>({0, 16, 28, 37, 45, 53, 61}));
}

/// Within so much of what all speeds together would take, once it is known how many chunks are to
/// be handed out ahead.
void expectNear(Job job, double most) {
    for (int k = 0; k < 12; ++k) job.run();
    double work = 0, speed = 0;
    for (Index row = 0; row < job.rows; ++row) work += job.cost(row);
    for (const double each : job.speeds) speed += each;
    EXPECT_LE(job.seconds, most * work / speed) << job.schedule;
}

TEST(HandOut, EachRunsAsMuchAsItCan) {
    for (const std::vector<double>& speeds : std::vector<std::vector<double>>{
             {1, 1}, {1, 1, 1}, {4, 1}, {4, 2, 1}, {10, 10, 1}, {30, 1}, {1, 4}}) {
        expectNear({speeds, 10000, dynamicShare + 16}, 1.15);
        expectNear({speeds, 10000, guidedShare}, 1.5);
    }
    // The rows at the end take a hundred times as long: with equal parts, twice as long as needed.
    const Cost late = [](Index row) { return row < 5000 ? 0.01 : 1.0; };
    expectNear({{1, 1, 0.1}, 10000, dynamicShare + 16, late}, 1.15);
}

TEST(HandOut, ASlowHostDoesNotKeepFastDevicesWaiting) {
    Job job{{100, 0.01}, 1000, dynamicShare + 10};
    for (int k = 0; k < 12; ++k) job.run();
    EXPECT_EQ(job.rowsOf, std::vector<Index>({1000, 0}));
}

TEST(HandOut, TheRestIsTheHosts) {
    HandOut handOut(3, 99, dynamicShare + 10, {1, 1});
    const auto given = handOut.next({false, true});
    ASSERT_FALSE(given.empty());
    const auto rest = handOut.rest();
    EXPECT_EQ(rest.worker, 2u);
    EXPECT_EQ(rest.first, given.back().last + 1);
    EXPECT_EQ(rest.last, 99);
    EXPECT_TRUE(handOut.isEmpty());
    EXPECT_TRUE(handOut.next({false, false}).empty());
}

}  // namespace
}  // namespace hpspmd::detail
