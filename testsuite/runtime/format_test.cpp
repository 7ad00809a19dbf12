// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every format against its definition, location by location: owner, local subscript, and the
/// blocks of every coordinate for every triplet, in subranges and subranges of subranges.

#include "pretend.hpp"
#include "snake_range.hpp"

#include <functional>
#include <random>
#include <set>

namespace hpspmd::test {
namespace {

using Places = std::vector<detail::Place>;  // of location 0, 1, ..

struct Case {
    Range range;
    Places places;
};

Places block(Index n, int p) {
    Places places;
    const Index size = (n + p - 1) / p;
    for (Index g = 0; g < n; ++g) places.push_back({static_cast<int>(g / size), g % size});
    return places;
}

Places cyclic(Index n, int p) {
    Places places;
    for (Index g = 0; g < n; ++g) places.push_back({static_cast<int>(g % p), g / p});
    return places;
}

// Deals blocks of b one by one, as one deals cards.
Places blockCyclic(Index n, int p, Index b) {
    Places places;
    std::vector<Index> held(static_cast<std::size_t>(p));
    for (Index g = 0, crd = 0; g < n; ++crd)
        for (Index k = 0; k < b && g < n; ++k, ++g)
            places.push_back(
                {static_cast<int>(crd % p), held[static_cast<std::size_t>(crd % p)]++});
    return places;
}

Places irregular(const std::vector<Index>& sizes) {
    Places places;
    for (std::size_t crd = 0; crd < sizes.size(); ++crd)
        for (Index k = 0; k < sizes[crd]; ++k) places.push_back({static_cast<int>(crd), k});
    return places;
}

// N locations in P pieces, some of them empty.
std::vector<Index> unevenSizes(Index n, int p) {
    std::vector<Index> sizes(static_cast<std::size_t>(p));
    for (Index g = 0; g < n; ++g) ++sizes[static_cast<std::size_t>(g * g % 7 % p)];
    return sizes;
}

Places snake(Index n, int p) {
    Places places;
    for (Index g = 0; g < n; ++g) {
        const bool back = g / p % 2 == 1;
        places.push_back({static_cast<int>(back ? p - 1 - g % p : g % p), g / p});
    }
    return places;
}

std::vector<Case> casesOf(Index n, const Dimension& d) {
    const int p = static_cast<int>(d.size());
    const std::vector<Index> sizes = unevenSizes(n, p);
    std::vector<Case> cases{{BlockRange(n, d), block(n, p)},
                            {ExtBlockRange(n, d, 2, 1), block(n, p)},
                            {CyclicRange(n, d), cyclic(n, p)},
                            {BlockCyclicRange(n, d, 1), cyclic(n, p)},
                            {BlockCyclicRange(n, d, 2), blockCyclic(n, p, 2)},
                            {BlockCyclicRange(n, d, 3), blockCyclic(n, p, 3)},
                            {IrregRange(sizes, d), irregular(sizes)},
                            {SnakeRange(n, d), snake(n, p)},
                            {CollapsedRange(n), block(n, 1)}};
    if (n == p) cases.push_back({d, cyclic(n, p)});
    return cases;
}

std::vector<Index> locationsOf(Index l, Index u, Index s) {
    std::vector<Index> locations;
    for (Index n = l; s > 0 ? n <= u : n >= u; n += s) locations.push_back(n);
    return locations;
}

// The blocks of each coordinate list its locations of the triplet in the triplet's order, and no
// others.
void checkBlocks(const Case& c, Index l, Index u, Index s) {
    const std::vector<Index> locations = locationsOf(l, u, s);
    const int processes = c.range.record()->format->processes();
    const detail::Coordinates holders = c.range.crds(l, u, s);
    for (int crd = 0; crd < processes; ++crd) {
        std::vector<std::pair<Index, Index>> expected, found;
        for (Index n : locations)
            if (c.places[static_cast<std::size_t>(n)].crd == crd)
                expected.emplace_back(n, c.places[static_cast<std::size_t>(n)].sub);
        for (const Block& b : c.range.blocks(crd, l, u, s))
            for (Index k = 0; k < b.count; ++k)
                found.emplace_back(b.globalBase + b.globalStep * k, b.localBase + b.localStep * k);
        ASSERT_EQ(expected, found) << detail::describe(c.range) << " for " << l << " : " << u
                                   << " : " << s << " on coordinate " << crd;
        if (!expected.empty()) {
            ASSERT_TRUE(holders.contains(crd)) << detail::describe(c.range);
        }
    }
}

void checkLocations(const Case& c) {
    ASSERT_EQ(c.range.size(), static_cast<Index>(c.places.size()));
    for (Index n = 0; n < c.range.size(); ++n) {
        const Location at = c.range[n];
        const detail::Place& place = c.places[static_cast<std::size_t>(n)];
        ASSERT_TRUE(at.crd == place.crd && at.sub == place.sub && at.global == n)
            << detail::describe(c.range) << "[" << n << "]";
        ASSERT_LT(at.sub, c.range.record()->format->shell());
        ASSERT_EQ(at.held(), at.dim.crd() == place.crd);
    }
}

constexpr Index steps[] = {1, 2, 3, 5, 7, -1, -2, -3, -4};

TEST(Format, LocationsAndBlocksMatchTheDefinition) {
    for (int p = 1; p <= 5; ++p) {
        const Pretend world(p, p / 2);
        const Procs1 procs;
        for (Index n : {0, 1, 2, 3, 4, 5, 7, 12, 17})
            for (const Case& c : casesOf(n, procs.dim(0))) {
                checkLocations(c);
                checkBlocks(c, 0, n - 1, 1);
                for (Index s : steps)
                    for (Index l = 0; l < n; ++l)
                        for (Index u = 0; u < n; ++u) checkBlocks(c, l, u, s);
                if (HasFatalFailure()) return;
            }
    }
}

// A triplet with a random part of n locations, of either sign; sometimes empty.
struct RandomTriplet {
    Index l, u, s;

    RandomTriplet(std::mt19937& random, Index n) {
        const auto below = [&](Index m) {
            return static_cast<Index>(random() % static_cast<unsigned>(m));
        };
        s = 1 + below(4);
        l = below(n), u = below(n);
        if (below(8) != 0 && l > u) std::swap(l, u);
        if (below(2) == 0) {
            s = -s;
            std::swap(l, u);
        }
    }
};

Case subCase(const Case& c, const RandomTriplet& t) {
    Case part{c.range.subrange(t.l, t.u, t.s), {}};
    for (Index n : locationsOf(t.l, t.u, t.s))
        part.places.push_back(c.places[static_cast<std::size_t>(n)]);
    return part;
}

TEST(Format, SubrangesInheritLocations) {
    std::mt19937 random(2026);
    for (int p = 1; p <= 6; ++p) {
        const Pretend world(p, 0);
        const Procs1 procs;
        for (Index n : {1, 6, 13, 40})
            for (const Case& whole : casesOf(n, procs.dim(0)))
                for (int repeat = 0; repeat < 40; ++repeat) {
                    Case c = whole;
                    for (int depth = 0; depth < 3 && c.range.size() > 0; ++depth) {
                        c = subCase(c, RandomTriplet(random, c.range.size()));
                        checkLocations(c);
                        checkBlocks(c, 0, c.range.size() - 1, 1);
                        if (c.range.size() == 0) break;
                        const RandomTriplet t(random, c.range.size());
                        checkBlocks(c, t.l, t.u, t.s);
                        if (HasFatalFailure()) return;
                    }
                }
    }
}

TEST(Format, LocalBlocksAreThoseOfTheOwnCoordinate) {
    for (int rank = 0; rank < 4; ++rank) {
        const Pretend world(4, rank);
        const Procs1 procs;
        const BlockCyclicRange x(23, procs.dim(0), 3);
        const detail::Blocks own = x.localBlocks(20, 1, -2), same = x.blocks(rank, 20, 1, -2);
        ASSERT_EQ(own.size(), same.size());
        for (Index k = 0; k < own.size(); ++k) EXPECT_EQ(own[k].globalBase, same[k].globalBase);
    }
}

struct Ranges {
    BlockRange block;
    ExtBlockRange ext;
    CyclicRange cyclic;
    BlockCyclicRange blockCyclic;
    IrregRange irreg;
    CollapsedRange collapsed;
};

TEST(Format, RangesMayBeAssignedLater) {
    const Pretend world(1, 0);
    Ranges x;
    for (const Range& each :
         {Range(x.block), Range(x.ext), Range(x.cyclic), Range(x.blockCyclic), Range(x.irreg)})
        EXPECT_TRUE(each.isNull());
    EXPECT_THROW(x.collapsed.size(), NullArray);
    x.ext = ExtBlockRange(9, Procs1().dim(0), 2, 0);
    EXPECT_EQ(x.ext.loExtension(), 2);
}

// What lies side by side in both, locations and slots, is one block.
TEST(Format, OneProcessHoldsOneBlock) {
    const Pretend world(1, 0);
    const BlockCyclicRange x(23, Procs1().dim(0), 3);
    EXPECT_EQ(x.volume(), 23);
    EXPECT_EQ(x.record()->run.count, 23);
    for (Index s : {1, 3, -1, -4}) {
        const detail::Blocks own = s > 0 ? x.localBlocks(2, 20, s) : x.localBlocks(20, 2, s);
        EXPECT_EQ(own.size(), 1);
        EXPECT_EQ(own.front().globalStep, s);
        EXPECT_EQ(own.front().localBase, own.front().globalBase);
    }
    EXPECT_EQ(BlockCyclicRange(0, Procs1().dim(0), 3).localBlock().count, 0);
}

// So many that those in the middle are not computed one by one.
TEST(Format, ManyBlocksMatchTheDefinition) {
    for (int p = 2; p <= 3; ++p)
        for (Index size : {1, 2, 5}) {
            const Pretend world(p, 1);
            for (Index n : {60, 61, 64}) {
                const BlockCyclicRange x(n, Procs1().dim(0), size);
                const Case c{x, blockCyclic(n, p, size)};
                const Index ends[] = {0, 1, size, 7, 30, n - size, n - 2, n - 1};
                for (Index s : {1, -1, 2, -7})
                    for (Index l : ends)
                        for (Index u : ends) checkBlocks(c, l, u, s);
                const Range part = x.subrange(2, n - 3, 2), back = x.subrange(n - 2, 1, -1);
                for (const Range& y : {part, back}) {
                    Places places;
                    for (Index k = 0; k < y.size(); ++k) places.push_back({y[k].crd, y[k].sub});
                    checkBlocks({y, places}, 0, y.size() - 1, 1);
                    checkBlocks({y, places}, y.size() - 1, 3, -1);
                }
                if (HasFatalFailure()) return;
            }
        }
}

TEST(Format, ProcessesOutsideTheGridHoldNothing) {
    const Pretend world(4, 3);
    const Procs1 procs(2);
    const BlockRange x(10, procs.dim(0));
    EXPECT_EQ(procs.dim(0).crd(), -1);
    EXPECT_EQ(x.localBlock().count, 0);
    EXPECT_FALSE(x[0].held());
}

TEST(Format, GhostCellsBelongToTheTrivialSubrangeOnly) {
    const Pretend world(4, 0);
    const Procs1 procs;
    const ExtBlockRange x(10, procs.dim(0), 2, 3);
    EXPECT_EQ(x.volume(), 3 + 2 + 3);
    EXPECT_EQ(x.subrange(), x);
    EXPECT_EQ(x.subrange(0, 9), x);
    EXPECT_EQ(x.subrange(1, 9).loExtension(), 0);
    EXPECT_EQ(x.subrange(9, 0, -1).volume(), 3);
    EXPECT_EQ(x.subrange(0, 8, 2).str(), 2);
}

TEST(Format, EqualRangesAreTheSameRecord) {
    const Pretend world(4, 0);
    const Procs1 p;
    const Procs1 q;
    const BlockRange x(10, p.dim(0));
    EXPECT_EQ(x, BlockRange(10, p.dim(0)));
    EXPECT_NE(x, BlockRange(11, p.dim(0)));
    EXPECT_NE(x, BlockRange(10, q.dim(0)));
    EXPECT_NE(Range(x), CyclicRange(10, p.dim(0)));
    EXPECT_EQ(x.subrange(2, 8).subrange(6, 0, -3), x.subrange(8, 2, -3));
    EXPECT_TRUE(detail::fits(x.subrange(1, 3), ExtBlockRange(10, p.dim(0), 1, 1)));
    EXPECT_FALSE(detail::fits(x, BlockCyclicRange(10, p.dim(0), 3)));
    EXPECT_FALSE(detail::fits(x, BlockRange(10, q.dim(0))));
}

TEST(Format, HugeExtentsStayExact) {
    const Pretend world(7, 0);
    const Procs1 p;
    const Index n = Index{1} << 60;
    const BlockRange x(n, p.dim(0));
    EXPECT_EQ(x[n - 1].crd, 6);
    EXPECT_EQ(x.blocks(6, n - 1, 0, -(n / 3)).front().globalBase, n - 1);
    const CyclicRange y(n, p.dim(0));
    const Block b = y.blocks(3, n - 2, 1, -1000003).front();
    EXPECT_EQ(b.globalBase % 7, 3);
    EXPECT_EQ(b.globalStep, -7 * Index{1000003});
    EXPECT_EQ(y[b.globalBase + b.globalStep * (b.count - 1)].sub,
              b.localBase + b.localStep * (b.count - 1));
}

TEST(Format, CyclicHoldersLeaveOutOtherResidues) {
    const Pretend world(6, 0);
    const Procs1 p;
    const CyclicRange x(60, p.dim(0));
    EXPECT_EQ(x.crds(1, 59, 3).size(), 2);
    EXPECT_EQ(BlockRange(60, p.dim(0)).crds(12, 25).size(), 2);
    EXPECT_EQ(x.crds(3, 2).size(), 0);
}

TEST(Triplet, PartsThatWereLeftOut) {
    const CollapsedRange x(10);
    const auto list = [&](const Triplet& t) {
        const detail::Progression p = t.over(x);
        return std::vector<Index>{p.first, p.step, p.count};
    };
    EXPECT_EQ(list(Triplet()), (std::vector<Index>{0, 1, 10}));
    EXPECT_EQ(list(Triplet(detail::none, detail::none, -3)), (std::vector<Index>{9, -3, 4}));
    EXPECT_EQ(list(Triplet(4)), (std::vector<Index>{4, 1, 6}));
    EXPECT_EQ(list(Triplet(detail::none, 4, 2)), (std::vector<Index>{0, 2, 3}));
    EXPECT_EQ(list(Triplet(0, 100, 200)), (std::vector<Index>{0, 1, 1}));
    EXPECT_EQ(list(Triplet(3, 2)), (std::vector<Index>{0, 1, 0}));
    EXPECT_EQ(list(Triplet(-5, -6)), (std::vector<Index>{0, 1, 0}));
    EXPECT_EQ(Triplet(detail::none, detail::none, -1).over(CollapsedRange(0)).count, 0);
}

TEST(Triplet, StepsAtTheEdgeOfTheIntegers) {
    constexpr Index least = std::numeric_limits<Index>::min();
    constexpr Index most = std::numeric_limits<Index>::max();
    const CollapsedRange x(10);
    EXPECT_EQ(Triplet(9, 0, least).over(x).count, 1);
    EXPECT_EQ(Triplet(0, 9, most).over(x).count, 1);
    EXPECT_THROW(Triplet(9, least, least).over(x), OutOfBounds);
    EXPECT_THROW(Triplet(0, most, most).over(x), OutOfBounds);
    EXPECT_THROW(Triplet(least, most, 1).over(x), OutOfBounds);
    EXPECT_THROW(Triplet(most, least, -1).over(x), OutOfBounds);
}

}  // namespace
}  // namespace hpspmd::test
