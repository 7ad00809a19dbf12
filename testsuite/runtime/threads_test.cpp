// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests in several threads: shares, joined numbers, errors, nested regions.
#define HPSPMD_LEAST_WORK(threads) 0
#include <hpspmd/threads.hpp>

#include "pretend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hpspmd::detail {
namespace {

class Threads : public ::testing::Test {
protected:
    Threads() { omp_set_num_threads(4); }

    test::Pretend world_{1, 0};
};

Run rows(Index n) { return Run(CollapsedRange(n)); }

std::vector<Index> iterations(const Run& run, Index step) {
    std::vector<Index> all;
    for (Index i = run.first; i <= run.last; i += step) all.push_back(i);
    return all;
}

TEST_F(Threads, sharesFollowOneAnother) {
    for (const Index n : {0, 1, 2, 3, 7, 8, 100})
        for (const Index step : {1, 2, 3})
            for (const int threads : {1, 2, 3, 4, 7})
                for (const Index unit : {1, 8}) {
                    detail::Run all = rows(100);
                    all.first = 5;
                    all.last = 5 + n - 1;
                    std::vector<Index> together;
                    for (int k = 0; k < threads; ++k)
                        for (const Index i : iterations(shareOf(all, step, k, threads, unit), step))
                            together.push_back(i);
                    EXPECT_EQ(together, iterations(all, step)) << n << " rows, step " << step;
                }
}

std::vector<Index> iterations(const BlockShare& share) {
    std::vector<Index> all;
    for (const Block& block : share)
        for (Index k = 0; k < block.count; ++k) {
            all.push_back(block.globalBase + block.globalStep * k);
            all.push_back(block.localBase + block.localStep * k);
        }
    return all;
}

TEST_F(Threads, sharesOfBlocksFollowOneAnother) {
    const test::Pretend world(3, 1);
    const Procs1 p(3);
    const Dimension d = p.dim(0);
    for (const Range& x : {Range(CyclicRange(40, d)), Range(BlockCyclicRange(40, d, 4)),
                           Range(BlockRange(40, d)), Range(BlockRange(100, d)).subrange(0, 39)})
        for (const Triplet& triplet :
             {Triplet(none, none), Triplet(3, 37, 2), Triplet(30, 4, -3)}) {
            const Blocks blocks = x.localBlocks(triplet);
            const Index count = iterationsOf(blocks);
            const std::vector<Index> all = iterations(BlockShare(blocks, 0, count));
            EXPECT_EQ(all.size(), std::size_t(2 * count));
            for (const Index threads : {1, 2, 3, 4, 7, 50}) {
                std::vector<Index> together;
                for (Index k = 0; k < threads; ++k)
                    for (const Index i : iterations(
                             BlockShare(blocks, count * k / threads, count * (k + 1) / threads)))
                        together.push_back(i);
                EXPECT_EQ(together, all) << describe(x) << ", " << threads << " threads";
            }
        }
}

TEST_F(Threads, gridsHaveSmallSides) {
    EXPECT_EQ(rowsOfGrid(1, 100, 100), 1);
    EXPECT_EQ(rowsOfGrid(2, 100, 100), 2);
    EXPECT_EQ(rowsOfGrid(4, 100, 100), 2);
    EXPECT_EQ(rowsOfGrid(64, 1000, 1000), 8);
    EXPECT_EQ(rowsOfGrid(12, 3000, 10), 12);
    EXPECT_EQ(rowsOfGrid(12, 10, 3000), 1);
    EXPECT_EQ(rowsOfGrid(7, 100, 100), 7);
}

TEST_F(Threads, eachElementOfAGridIsComputedOnce) {
    for (const auto& [height, width] : {std::pair(1, 1), {5, 300}, {300, 5}, {77, 100}}) {
        std::vector<int> times(std::size_t(height * width));
        inThreadGrid(
            Work(rows(height), rows(width)),
            [&](const auto& own, const auto& columns, const auto& stride) {
                for (Index i = own.first; i <= own.last; ++i)
                    for (Index j = columns.first; j <= columns.last; ++j)
                        ++times[std::size_t(i * stride + j)];
            },
            rows(height), rows(width), Index(width));
        EXPECT_EQ(times, std::vector<int>(std::size_t(height * width), 1))
            << height << ' ' << width;
    }
}

TEST_F(Threads, eachRowIsComputedOnce) {
    std::vector<int> times(101);
    inThreads(
        Work(rows(100)),
        [&](const auto& own) {
            for (Index i = own.first; i <= own.last; ++i) ++times[std::size_t(i)];
        },
        rows(100));
    EXPECT_EQ(times, std::vector<int>([] {
                  std::vector<int> once(101, 1);
                  once.back() = 0;
                  return once;
              }()));
}

TEST_F(Threads, numbersAreJoined) {
    double sum = 0.5;
    long least = 1000;
    int largest = -3;
    unsigned char small = 200;
    std::tie(largest, least, small, sum) = inThreads(
        Work(rows(100)),
        [](const auto& own, auto most, auto fewest, auto tiny, const auto& factor, auto total) {
            for (Index i = own.first; i <= own.last; ++i) {
                most = std::max(most, int(i));
                fewest = std::min(fewest, long(50 - i));
                tiny = static_cast<unsigned char>(tiny + 1);
                total += factor * double(i);
            }
            return std::make_tuple(most, fewest, tiny, total);
        },
        rows(100), byMax(largest), byMin(least), bySum(small), 2.0, bySum(sum));
    EXPECT_EQ(largest, 99);
    EXPECT_EQ(least, -49);
    EXPECT_EQ(small, 200 + 100 - 256);
    EXPECT_EQ(sum, 0.5 + 2 * 99 * 50);
}

TEST_F(Threads, nothingChangesASumOfNothing) {
    const double negative = inThreads(
        Work(rows(100)), [](const auto&, auto total) { return total; }, rows(100), bySum(-0.0));
    EXPECT_TRUE(std::signbit(negative));
}

TEST_F(Threads, theErrorOfTheFirstRowsIsRaised) {
    std::atomic<int> others = 0;
    try {
        inThreads(
            Work(rows(100)),
            [&](const auto& own) {
                for (Index i = own.first; i <= own.last; ++i)
                    if (i == 30 || i == 99) throw std::runtime_error(std::to_string(i));
                ++others;
            },
            rows(100));
        FAIL() << "nothing was raised";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "30");
    }
    EXPECT_EQ(others, 2);
}

TEST_F(Threads, theActiveGroupIsThatOfTheNest) {
    std::atomic<int> strange = 0, numbers = 0;
    inThreads(
        Work(rows(100)),
        [&](const auto&) {
            if (activeGroup != world_.group().record()) ++strange;
            numbers += 1 << threadNumber;
        },
        rows(100));
    EXPECT_EQ(strange, 0);
    EXPECT_EQ(numbers, 15);
    EXPECT_EQ(threadNumber, 0);
}

TEST_F(Threads, oneThreadForFewRowsAndInsideOfOthers) {
    std::atomic<int> calls = 0;
    const auto count = [&](const auto&) { ++calls; };
    inThreads(Work(rows(1)), count, rows(1));
    EXPECT_EQ(calls, 1);
    inThreads(Work(rows(100)).onlyIf(false), count, rows(100));
    EXPECT_EQ(calls, 2);
    inThreads<100>(Work(rows(100)), count, rows(100));
    EXPECT_EQ(calls, 3);
#pragma omp parallel num_threads(3)
    inThreads(Work(rows(100)), count, rows(100));
    EXPECT_EQ(calls, 6);
    inThreads(Work(rows(100)), count, rows(100));
    EXPECT_EQ(calls, 10);
}

TEST_F(Threads, workIsTheProductOfLengths) {
    EXPECT_EQ(Work(rows(100), 30, rows(7)).steps(), 21000);
    EXPECT_EQ(Work(rows(100)).onlyIf(false).steps(), 0);
}

}  // namespace
}  // namespace hpspmd::detail
