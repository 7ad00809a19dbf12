// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The stamps of ghost cells: what writes, what fills, and what a nest sees of both.

#include "pretend.hpp"

namespace hpspmd::test {
namespace {

using detail::Nest;

class Stamps : public ::testing::Test {
protected:
    Pretend world{9, 4};  // in the middle of the grid
    Procs2 p{3, 3};
    detail::Activate in{p};
    ExtBlockRange x{8, p.dim(0), 2, 2};
    ExtBlockRange y{9, p.dim(1), 1, 0};
    Array<double, Dist, Dist> a = create<double>(p, x, y);

    template <class... Slots>
    static Index below(const Array<double, Slots...>& array, int r) {
        return array.ghosts()->freshBelow(array.descriptor()[r], r);
    }
    bool isFresh(Index lo, Index hi) const {
        return detail::isFresh(a, {detail::over(x, lo, hi), detail::over(y)});
    }
    void write() { const Nest nest(a); }
    void fill(int r, Index low, Index high) { a.ghosts()->fill(a.descriptor()[r], r, low, high); }
};

TEST_F(Stamps, OnlyArraysWithGhostCellsHaveThem) {
    EXPECT_NE(a.ghosts(), nullptr);
    EXPECT_EQ((create<double>(p, BlockRange(8, p.dim(0)), 3).ghosts()), nullptr);
    EXPECT_EQ((Array<double, Dist>().ghosts()), nullptr);
}

TEST_F(Stamps, AWriteMakesAllSidesStaleAndAFillSome) {
    EXPECT_TRUE(isFresh(-2, 2));
    write();
    EXPECT_FALSE(isFresh(-1, 0));
    EXPECT_FALSE(isFresh(0, 1));
    EXPECT_TRUE(isFresh(0, 0));
    fill(0, 1, 0);
    EXPECT_TRUE(isFresh(-1, 0));
    EXPECT_FALSE(isFresh(-2, 0));
    EXPECT_FALSE(isFresh(0, 1));
    fill(0, 2, 1);
    fill(0, 1, 1);  // takes nothing away
    EXPECT_TRUE(isFresh(-2, 1));
    EXPECT_EQ(below(a, 1), 0);
}

TEST_F(Stamps, WritesCountWhenTheOutermostNestEnds) {
    write();
    fill(0, 2, 2);
    {
        const Nest nest(a);
        EXPECT_TRUE(isFresh(-2, 2));
        write();  // by a function that is called in the nest
        EXPECT_TRUE(isFresh(-2, 2));
    }
    EXPECT_FALSE(isFresh(-1, 0));
}

TEST_F(Stamps, ANestWithoutIterationsWritesNothing) {
    write();
    fill(0, 2, 2);
    { const Nest nest(detail::any(x, 3, 2), a); }
    EXPECT_TRUE(isFresh(-2, 2));
    EXPECT_TRUE(detail::any(x, 3, 3));
    EXPECT_TRUE(detail::any(x, detail::none, 0));
    EXPECT_TRUE(detail::any(x, 5, 2, -1));
    EXPECT_FALSE(detail::any(x, 2, 5, -1));
}

TEST_F(Stamps, CellsBeyondAnEndAreStaleOnlyIfTheyAreFilledCyclically) {
    ExtBlockRange z{2, p.dim(0), 1, 1};  // this process holds the last location
    const auto b = create<double>(p, z);
    const auto isFresh = [&](Index lo, Index hi) {
        return detail::isFresh(b, {detail::over(z, lo, hi)});
    };
    const detail::Map map = b.descriptor()[0];
    { const Nest nest(b); }
    EXPECT_TRUE(isFresh(0, 1));
    EXPECT_FALSE(isFresh(-1, 0));
    b.ghosts()->fill(map, 0, 1, 1, true);
    EXPECT_TRUE(isFresh(-1, 1));
    { const Nest nest(b); }
    EXPECT_FALSE(isFresh(0, 1));
}

TEST_F(Stamps, SectionsAndCopiesKnowTheirArray) {
    const auto row = section(a, 3, Triplet());
    write();
    EXPECT_EQ(below(row, 0), 0);
    fill(1, 1, 0);
    EXPECT_EQ(below(row, 0), 1);
    const auto copy = clone(a);
    EXPECT_EQ(below(copy, 1), 1);
    EXPECT_EQ(below(copy, 0), 0);
    { const Nest nest(row); }
    EXPECT_EQ(below(a, 1), 0);
    EXPECT_EQ(below(copy, 1), 1);
    EXPECT_EQ(below(detail::filled(a), 1), std::numeric_limits<Index>::max());
}

// This process holds locations 3 to 5 of x and of y.
TEST_F(Stamps, AWriteOfAPartMakesStaleWhatLiesInIt) {
    const auto set = [&](Index first, Index last) {
        const Nest nest(detail::part(a, {detail::span(x, first, last), detail::everywhere}));
    };
    const auto refill = [&] {
        write();
        fill(0, 2, 2);
        fill(1, 1, 0);
    };
    refill();
    set(4, 4);
    EXPECT_TRUE(isFresh(-2, 2));
    set(1, 1);
    EXPECT_TRUE(isFresh(-1, 2));
    EXPECT_FALSE(isFresh(-2, 0));
    EXPECT_TRUE(detail::isFresh(a, {detail::over(x, Triplet(4, 5), -2, 0), detail::over(y)}));
    fill(0, 1, 1);
    EXPECT_FALSE(isFresh(-2, 0));
    EXPECT_FALSE(a.ghosts()->areFilled(a.descriptor()[0], 0, 2, 0));
    EXPECT_TRUE(a.ghosts()->areFilled(a.descriptor()[0], 0, 1, 0));
    fill(0, 2, 2);
    EXPECT_TRUE(isFresh(-2, 2));
    refill();
    for (Index n = 0; n < 8; ++n)  // more than are kept
        for (const Index m : {n, Index{0}}) set(n, n + m);
    EXPECT_FALSE(isFresh(0, 1));
    EXPECT_FALSE(isFresh(-1, 0));
}

TEST_F(Stamps, PartsMeetReadsInEachDimension) {
    write();
    fill(0, 2, 2);
    fill(1, 1, 0);
    { const Nest nest(detail::part(a, {detail::span(x, 2, 2), detail::span(y, 4)})); }
    const auto isFreshFor = [&](Index first, Index last, Index low) {
        return detail::isFresh(
            a, {detail::over(x, -1, 0), detail::over(y, Triplet(first, last), low, 0)});
    };
    EXPECT_TRUE(isFreshFor(3, 3, 0));
    EXPECT_FALSE(isFreshFor(3, 4, 0));
    EXPECT_TRUE(isFreshFor(3, 3, -1));
    EXPECT_FALSE(isFreshFor(5, 5, -1));
    const auto copy = clone(a);
    EXPECT_FALSE(detail::isFresh(copy, {detail::over(x, -1, 0), detail::over(y)}));
    EXPECT_TRUE(detail::isFresh(copy, {detail::over(x, 0, 1), detail::over(y)}));
    {  // what is written in the nest under way does not count yet, what was before does
        const Nest nest(detail::part(a, {detail::span(x, 2, 2), detail::span(y, 4)}));
        EXPECT_FALSE(isFreshFor(4, 4, 0));
        fill(0, 1, 0);
        EXPECT_TRUE(isFreshFor(4, 4, 0));
    }
}

// This process holds locations 3 to 5 of x and of y.
TEST_F(Stamps, WhatIsKnownToBeSomePartIsStaleWhereAllOfItIsRead) {
    const auto refill = [&] {
        write();
        fill(0, 2, 2);
        fill(1, 1, 0);
    };
    const auto isFreshAlongY = [&](Index first, Index last) {
        return detail::isFresh(a, {detail::over(x, Triplet(first, last)), detail::over(y, -1, 0)});
    };
    refill();
    {
        const Nest nest(
            detail::part(a, {detail::span(BlockRange(9, p.dim(0)), 4, 4), detail::everywhere}));
    }
    EXPECT_TRUE(isFresh(-1, 0));
    refill();
    { const Nest nest(detail::part(a, {detail::span(x, 0), detail::everywhere})); }
    EXPECT_FALSE(isFresh(-1, 0));
    refill();
    const auto row = section(a, 4, Triplet());
    { const Nest nest(detail::part(row, {detail::span(y, 2, 2)})); }
    EXPECT_TRUE(isFresh(-2, 2));
    EXPECT_FALSE(isFreshAlongY(3, 5));
    EXPECT_TRUE(isFreshAlongY(3, 4));
    refill();
    detail::markWritten(section(a, Triplet(1, 4, 3), Triplet()).descriptor());
    EXPECT_FALSE(isFresh(-2, 0));
    EXPECT_TRUE(isFresh(-1, 0));
    EXPECT_FALSE(isFreshAlongY(4, 4));
    EXPECT_TRUE(isFreshAlongY(3, 3));
}

TEST_F(Stamps, WhatIsPerhapsWrittenIsFetchedAgainButNoError) {
    const auto areFilled = [&](Index low) {
        return a.ghosts()->areFilled(a.descriptor()[0], 0, low, 0);
    };
    write();
    fill(0, 2, 2);
    EXPECT_TRUE(areFilled(2));
    { const Nest nest(detail::perhaps(a)); }
    EXPECT_TRUE(isFresh(-2, 2));
    EXPECT_FALSE(areFilled(1));
    fill(0, 1, 1);
    EXPECT_TRUE(isFresh(-2, 2));
    EXPECT_TRUE(areFilled(1));
    EXPECT_FALSE(areFilled(2));
    { const Nest nest(false, detail::perhaps(a)); }
    EXPECT_TRUE(areFilled(1));
}

TEST_F(Stamps, AStaleReadSaysWhichCells) {
    write();
    const auto read = [&] { detail::check(a, "a", {detail::over(x, 0, 1), detail::over(y)}); };
    EXPECT_TRUE(
        mentions(messageOf<StaleGhosts>(read),
                 "reads 1 ghost cell above the blocks of dimension 0 of a, but a was written "
                 "after they were filled: call Adlib::writeHalo(a) before this nest"));
    fill(0, 0, 1);
    EXPECT_NO_THROW(read());
    EXPECT_TRUE(
        mentions(messageOf<StaleGhosts>([&] {
                     detail::checkFresh(a, "a", {detail::over(x, 0, 2), detail::over(y)});
                 }),
                 "reads 2 ghost cells above the blocks of dimension 0 of a, of which only 1 "
                 "was filled after a was written"));
    EXPECT_NO_THROW(detail::checkBounds(a, "a", {detail::over(x, 0, 2), detail::over(y)}));
    EXPECT_NO_THROW(
        detail::checkFresh(a, "a", {detail::over(x, Triplet(3, 2), 0, 2), detail::over(y)}));
}

}  // namespace
}  // namespace hpspmd::test
