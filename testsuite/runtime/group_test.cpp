// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Grids, restricted groups, containment, and what every process of a pretended job knows about the
/// others.

#include "pretend.hpp"

#include <set>

namespace hpspmd::test {
namespace {

std::vector<int> membersOf(const Group& g) {
    std::vector<int> members;
    for (int k = 0; k < g.size(); ++k) members.push_back(detail::member(g, k));
    return members;
}

TEST(Group, GridsAreRowMajorAndTakeTheFirstProcesses) {
    for (int rank = 0; rank < 8; ++rank) {
        const Pretend world(8, rank);
        const Procs2 p(2, 3);
        EXPECT_EQ(p.size(), 6);
        EXPECT_EQ(p.amMember(), rank < 6);
        EXPECT_EQ(p.rank(), rank < 6 ? rank : -1);
        EXPECT_EQ(p.dim(0).crd(), rank < 6 ? rank / 3 : -1);
        EXPECT_EQ(p.dim(1).crd(), rank < 6 ? rank % 3 : -1);
        EXPECT_EQ(p.dim(1).size(), 3);
        EXPECT_EQ(membersOf(p), (std::vector<int>{0, 1, 2, 3, 4, 5}));
    }
}

TEST(Group, BalancedGrids) {
    const auto extents = [](int processes, auto make) {
        const Pretend world(processes, 0);
        const auto p = make();
        std::vector<Index> sizes;
        for (const Dimension& d : detail::freeDimensions(p)) sizes.push_back(d.size());
        return sizes;
    };
    const auto two = [] { return Procs2(); };
    const auto three = [] { return Procs3(); };
    EXPECT_EQ(extents(1, two), (std::vector<Index>{1, 1}));
    EXPECT_EQ(extents(4, two), (std::vector<Index>{2, 2}));
    EXPECT_EQ(extents(6, two), (std::vector<Index>{3, 2}));
    EXPECT_EQ(extents(7, two), (std::vector<Index>{7, 1}));
    EXPECT_EQ(extents(12, two), (std::vector<Index>{4, 3}));
    EXPECT_EQ(extents(24, three), (std::vector<Index>{4, 3, 2}));
    EXPECT_EQ(extents(64, three), (std::vector<Index>{4, 4, 4}));
    EXPECT_EQ(extents(5, [] { return Procs1(); }), (std::vector<Index>{5}));
}

TEST(Group, ALineMakesTheSameGridAgain) {
    const Pretend world(6, 0);
    const auto make = [](Index n) { return Procs1(n); };
    const Procs1 p(4);
    EXPECT_EQ(make(4), make(4));
    EXPECT_NE(make(4), make(3));
    EXPECT_NE(make(4), p);
    const Procs1 outer = make(4);
    const detail::On on(p);
    EXPECT_NE(make(4), outer);  // of another group
}

TEST(Group, GridsOfAnyRank) {
    const Pretend world(16, 9);
    const Procs<4> p({2, 2, 2, 2});
    std::vector<int> own;
    for (int r = 0; r < 4; ++r) own.push_back(p.dim(r).crd());
    EXPECT_EQ(own, (std::vector<int>{1, 0, 0, 1}));
    const Procs0 one;
    EXPECT_EQ(one.size(), 1);
    EXPECT_FALSE(one.amMember());
}

TEST(Group, RestrictionInAnyOrderIsOneGroup) {
    const Pretend world(6, 4);
    const Procs2 p(2, 3);
    const BlockRange x(8, p.dim(0)), y(9, p.dim(1));
    const Group row = p / x[5];
    EXPECT_EQ(membersOf(row), (std::vector<int>{3, 4, 5}));
    EXPECT_TRUE(row.amMember());
    EXPECT_EQ(row.rank(), 1);
    EXPECT_EQ(membersOf(p / y[8]), (std::vector<int>{2, 5}));
    EXPECT_EQ((p / y[8]).rank(), -1);
    EXPECT_EQ(p / x[5] / y[4], p / y[4] / x[5]);
    EXPECT_EQ(membersOf(p / x[5] / y[4]), std::vector<int>{4});
    const DistributedIndex i(x, x[5]);
    EXPECT_EQ(p / i, row);
    EXPECT_EQ(p / (i + 1), row);
    EXPECT_EQ(p / (i - 3), row);
    EXPECT_EQ(row / CollapsedRange(3)[1], row);
}

TEST(Group, ContainmentIsThatOfSets) {
    const Pretend world(8, 0);
    const Procs2 p(2, 3);
    const Procs1 q(6), small(2);
    const BlockRange x(8, p.dim(0)), y(9, p.dim(1));
    EXPECT_TRUE(world.group().contains(p));
    EXPECT_FALSE(p.contains(world.group()));
    EXPECT_TRUE(p.contains(q));  // the same six processes
    EXPECT_TRUE(q.contains(p));
    EXPECT_TRUE(p.contains(p / x[0]));
    EXPECT_FALSE((p / x[0]).contains(p));
    EXPECT_TRUE((p / x[0]).contains(p / x[0] / y[1]));
    EXPECT_FALSE((p / x[0]).contains(p / x[7] / y[1]));
    EXPECT_TRUE((p / x[0]).contains(small));  // 0, 1 of 0, 1, 2
    EXPECT_FALSE((p / x[7]).contains(small));
    EXPECT_FALSE((p / y[0]).contains(small));
    const Pretend other(8, 0);
    EXPECT_FALSE(p.contains(Procs1(1)));
}

TEST(Group, AFixedCoordinateCountsInADimensionOfOneProcess) {
    const Pretend world(1, 0);
    const Procs2 p(1, 1);
    const BlockRange x(8, p.dim(0));
    EXPECT_TRUE(p.contains(p / x[0]));
    EXPECT_FALSE((p / x[0]).contains(p));
}

TEST(Group, GridsInsideGridsKnowTheirMembers) {
    const Pretend world(12, 7);
    const Procs2 p(3, 4);
    const Group row = p / p.dim(0)[1];  // 4 5 6 7
    const detail::Activate in(row);
    const Procs2 q(2, 2);
    EXPECT_EQ(membersOf(q / q.dim(0)[1]), (std::vector<int>{6, 7}));
    EXPECT_TRUE(row.contains(q));
    EXPECT_TRUE(p.contains(q));
    EXPECT_FALSE((p / p.dim(0)[0]).contains(q));
    EXPECT_EQ(q.rank(), 3);
    EXPECT_EQ(q.dim(1).crd(), 1);
}

TEST(Group, EveryProcessKnowsEveryOther) {
    const Pretend world(12, 0);
    const Procs2 p(3, 4);
    for (const Group& g : {Group(p), p / p.dim(0)[2], p / p.dim(1)[1], world.group()})
        for (int process = 0; process < 12; ++process) {
            const int k = detail::position(g, process);
            if (k >= 0) {
                EXPECT_EQ(detail::member(g, k), process);
            }
            EXPECT_EQ(detail::coordinate(p.dim(1), process), process % 4);
        }
    const Procs1 few(5);
    EXPECT_EQ(detail::position(few, 5), -1);
    EXPECT_EQ(detail::coordinate(few.dim(0), 5), -1);
    EXPECT_EQ(detail::coordinate(CollapsedRange(3).dim(), 5), 0);
}

TEST(Group, OwnRankAgreesWithThatComputedForAnybody) {
    for (int rank = 0; rank < 12; ++rank) {
        const Pretend world(12, rank);
        const Procs3 p(2, 2, 3);
        for (const Group& g : {Group(p), p / p.dim(0)[1], p / p.dim(2)[0] / p.dim(1)[1]})
            EXPECT_EQ(g.rank(), detail::position(g, rank));
    }
}

TEST(Active, GuardsNest) {
    const Pretend world(6, 4);
    const Procs2 p(2, 3);
    EXPECT_EQ(apg(), world.group());
    {
        const detail::On p_on(p);
        ASSERT_TRUE(p_on);
        EXPECT_EQ(apg(), p);
        const BlockRange x(8, p.dim(0)), y(9, p.dim(1));
        {
            const detail::Active i(x.dim());
            EXPECT_EQ(apg(), p / x[5]);
            const detail::Active collapsed(CollapsedRange(4).dim());
            EXPECT_EQ(apg(), p / x[5]);
            const detail::Active j(y.dim());
            EXPECT_EQ(apg().size(), 1);
        }
        EXPECT_EQ(apg(), p);
        const Group other = p / x[0];
        const detail::On other_on(other);
        EXPECT_FALSE(other_on);
        EXPECT_EQ(apg(), p);
    }
    EXPECT_EQ(apg(), world.group());
}

TEST(Active, ValuesAreTriviallyCopyable) {
    EXPECT_TRUE(std::is_trivially_copyable_v<Group>);
    EXPECT_TRUE(std::is_trivially_copyable_v<BorrowedRange>);
    EXPECT_TRUE(std::is_trivially_copyable_v<Dimension>);
    EXPECT_TRUE(std::is_trivially_copyable_v<DistributedIndex>);
    EXPECT_EQ(sizeof(Range), sizeof(void*));
    EXPECT_EQ(sizeof(Procs2), sizeof(void*));
}

}  // namespace
}  // namespace hpspmd::test
