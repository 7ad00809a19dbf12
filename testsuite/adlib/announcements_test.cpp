// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Announcements reach whom they are for, in all processes of a group in one process.

#include "plan/announcements.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hpspmd::test {
namespace {

using detail::plan::Announcement;
using detail::plan::takePassedOn;

/// What each member holds, and the most announcements that a message carried.
struct Post {
    int size;
    std::map<int, std::vector<Announcement>> held;
    int rounds = 0;
    std::size_t largest = 0;

    void run() {
        for (int step = 1; step < size; step *= 2, ++rounds) {
            std::map<int, std::vector<Announcement>> arrived;
            for (auto& [rank, list] : held) {
                const auto passed = takePassedOn(list, rank, size, step);
                largest = std::max(largest, passed.size());
                auto& to = arrived[(rank + step) % size];
                to.insert(to.end(), passed.begin(), passed.end());
            }
            for (auto& [rank, list] : arrived)
                held[rank].insert(held[rank].end(), list.begin(), list.end());
        }
    }
};

TEST(Announcements, EachArrivesOnce) {
    std::mt19937 random(7);
    for (int size = 1; size <= 33; ++size) {
        Post post{size, {}};
        std::map<std::pair<int, int>, std::uint64_t> expected;
        for (int from = 0; from < size; ++from)
            for (int to = 0; to < size; ++to)
                if (from != to && random() % 3 == 0) {
                    expected[{from, to}] = random();
                    post.held[from].push_back({from, to, expected[{from, to}]});
                }
        post.run();
        std::size_t count = 0;
        for (const auto& [rank, list] : post.held)
            for (const Announcement& each : list) {
                EXPECT_EQ(each.to, rank);
                EXPECT_EQ(each.bytes, (expected[{each.from, each.to}]));
                ++count;
            }
        EXPECT_EQ(count, expected.size());
        EXPECT_LT(1 << post.rounds >> 1, size);
        EXPECT_GE(1 << post.rounds, size);
    }
}

// What the comment in announcements.hpp says.
TEST(Announcements, GoByTheBitsOfTheirWay) {
    std::vector<Announcement> held{{1, 0, 8}, {1, 3, 8}};
    EXPECT_EQ(takePassedOn(held, 1, 6, 1), (std::vector<Announcement>{{1, 0, 8}}));
    EXPECT_EQ(takePassedOn(held, 1, 6, 2), (std::vector<Announcement>{{1, 3, 8}}));
    EXPECT_TRUE(held.empty());
    held = {{1, 0, 8}};
    EXPECT_TRUE(takePassedOn(held, 2, 6, 2).empty());
    EXPECT_EQ(takePassedOn(held, 2, 6, 4), (std::vector<Announcement>{{1, 0, 8}}));
}

// A million members of which a row of neighbours writes to both sides: no message grows.
TEST(Announcements, OfNeighboursAmongAMillion) {
    constexpr int size = 1000000, first = 999900, writers = 300;
    Post post{size, {}};
    for (int k = 0; k < writers; ++k) {
        const int from = (first + k) % size;
        for (const int way : {1, size - 1})
            post.held[from].push_back({from, (from + way) % size, 24});
    }
    post.run();
    EXPECT_EQ(post.rounds, 20);
    EXPECT_LE(post.largest, 7u);
    std::size_t count = 0;
    for (const auto& [rank, list] : post.held)
        for (const Announcement& each : list) {
            EXPECT_EQ(each.to, rank);
            ++count;
        }
    EXPECT_EQ(count, std::size_t{2 * writers});
}

}  // namespace
}  // namespace hpspmd::test
