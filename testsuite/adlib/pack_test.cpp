/// Products of runs: joining of dimensions keeps the order of elements; packing of any element
/// size.

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "generated.hpp"
#include "plan/overlap.hpp"
#include "schedule/pack.hpp"

namespace hpspmd::test {
namespace {

using namespace detail::plan;

std::vector<Index> offsetsOf(const Region& region) {
    std::vector<Index> offsets;
    forEachRow(region, [&](const auto& start, Index count, const auto& step) {
        for (Index t = 0; t < count; ++t) offsets.push_back(start[0] + t * step[0]);
    });
    return offsets;
}

/// Distinct offsets below 5000: digits to base 7, several runs per digit.
Region randomRegion(Random& random) {
    Region region{{random.below(10)}, {}};
    Index weight = random.between(1, 2);
    const Index rank = random.below(5);
    for (Index r = 0; r < rank; ++r, weight *= 7) {
        Runs<1> runs = {{random.between(1, 3), {0}, {weight}}};
        if (random.oneIn(3)) runs.push_back({random.between(1, 3), {6 * weight}, {-weight}});
        region.dims.insert(region.dims.begin(), runs);
    }
    return region;
}

TEST(Products, SimplifyingKeepsTheOrder) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Random random(seed);
        const Region region = randomRegion(random);
        EXPECT_EQ(offsetsOf(simplified(region)), offsetsOf(region)) << "seed " << seed;
        EXPECT_EQ(simplified(region).count(), region.count()) << "seed " << seed;
    }
}

TEST(Products, PartsAreTheWholeInOrder) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        Random random(seed);
        const Region region = randomRegion(random);
        const Index all = region.count(), most = random.between(1, 40);
        std::vector<Index> offsets;
        for (Index first = 0; first < all; first += most) {
            const Index count = std::min(most, all - first);
            for (const Region& piece : part(region, first, count))
                for (const Index offset : offsetsOf(piece)) offsets.push_back(offset);
            EXPECT_EQ(static_cast<Index>(offsets.size()), first + count) << "seed " << seed;
        }
        EXPECT_EQ(offsets, offsetsOf(region)) << "seed " << seed;
    }
}

TEST(Products, WholeBlocksBecomeOneRun) {
    const Region block{{3}, {{{4, {0}, {10}}}, {{5, {0}, {2}}}, {{2, {0}, {1}}}}};
    EXPECT_TRUE(isContiguous(simplified(block)));
    const Region column{{0}, {{{4, {0}, {10}}}, {{1, {7}, {1}}}}};
    EXPECT_EQ(simplified(column), (Region{{7}, {{{4, {0}, {10}}}}}));
    EXPECT_EQ(simplified(Region{{5}, {{{1, {2}, {9}}}}}), (Region{{7}, {}}));
    EXPECT_EQ(simplified(Region{{5}, {{{3, {0}, {1}}}, {}}}).count(), 0);
}

TEST(Pack, AnyElementSize) {
    for (std::size_t size = 1; size <= 24; ++size) {
        Random random(size);
        const Region region = randomRegion(random);
        const std::vector<Index> offsets = offsetsOf(region);
        std::vector<char> memory(6000 * size), packed(offsets.size() * size);
        for (char& byte : memory) byte = static_cast<char>(random.seed());
        EXPECT_EQ(detail::pack(packed.data(), memory.data(), region, size),
                  packed.data() + packed.size());
        std::vector<char> copy(memory.size(), 0);
        EXPECT_EQ(detail::unpack(copy.data(), packed.data(), region, size),
                  packed.data() + packed.size());
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            const auto at = static_cast<std::size_t>(offsets[k]) * size;
            EXPECT_EQ(std::memcmp(packed.data() + k * size, memory.data() + at, size), 0);
            EXPECT_EQ(std::memcmp(copy.data() + at, memory.data() + at, size), 0);
        }
    }
}

/// A progression of at most 12 elements with local subscripts that tell them apart.
Block randomBlock(Random& random) {
    const Index step = random.between(1, 6) * (random.oneIn(2) ? 1 : -1);
    return {random.below(13), random.between(-5, 40), step, random.below(5),
            random.between(1, 3) * (random.oneIn(2) ? 1 : -1)};
}

TEST(Overlap, FindsAllCommonElements) {
    for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
        Random random(seed);
        const Block to = randomBlock(random), from = randomBlock(random);
        const Index shift = random.between(-4, 4);
        std::vector<std::array<Index, 3>> expected, found;  // global, local subscripts
        for (Index t = 0; t < to.count; ++t)
            for (Index f = 0; f < from.count; ++f)
                if (to.globalBase + t * to.globalStep + shift ==
                    from.globalBase + f * from.globalStep)
                    expected.push_back({to.globalBase + t * to.globalStep,
                                        to.localBase + t * to.localStep,
                                        from.localBase + f * from.localStep});
        std::sort(expected.begin(), expected.end());
        const detail::plan::Run<2> run = overlap(to, from, shift);
        for (Index k = 0; k < run.count; ++k) {
            const Index local = run.base[To] + k * run.step[To];
            const Index t = (local - to.localBase) / to.localStep;
            found.push_back(
                {to.globalBase + t * to.globalStep, local, run.base[From] + k * run.step[From]});
        }
        ASSERT_EQ(found, expected) << "seed " << seed;
    }
}

}  // namespace
}  // namespace hpspmd::test
