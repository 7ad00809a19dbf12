// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Products of runs: joining of dimensions keeps the order of elements; packing of any element
/// size.

#include <gtest/gtest.h>

#include <complex>
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

struct Sample {
    std::int64_t value, weight, unused;
    bool operator==(const Sample& other) const {
        return value == other.value && weight == other.weight;
    }
};

template <class T>
T sample(std::uint64_t number) {
    if constexpr (std::is_same_v<T, Sample>)
        return {static_cast<std::int64_t>(number % 1000), static_cast<std::int64_t>(number % 7), 0};
    else
        return static_cast<T>(static_cast<double>(number % 100));
}

template <class T>
T difference(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, Sample>)
        return {a.value - 2 * b.value, a.weight - b.weight, 0};
    else
        return static_cast<T>(a - b - b);
}

/// A plane of rows x columns elements, with any steps and signs, of two arrays; the destination's
/// are distinct.
Copy randomPlane(Random& random, Index rows, Index columns) {
    const auto step = [&](Index least) {
        return (least + random.below(3)) * (random.oneIn(4) ? -1 : 1);
    };
    const std::array<Index, 2> inner = {step(1), step(1)};
    const bool isTransposed = random.oneIn(2), isTurned = random.oneIn(2);
    Run<2> row{rows, {0, 0}, {step(std::abs(inner[To]) * columns), 0}},
        column{columns, {0, 0}, {inner[To], 0}};
    if (isTransposed) {
        row.step[From] = inner[From];
        column.step[From] = step(std::abs(inner[From]) * rows);
    } else {
        column.step[From] = inner[From];
        row.step[From] = step(std::abs(inner[From]) * columns);
    }
    Copy plane{{20000, 20000}, {{row}, {column}}};
    if (isTurned) std::swap(plane.dims[0], plane.dims[1]);
    return plane;
}

/// Copies and combines planes with the results of loops.
template <class T>
void expectPlanes(std::uint64_t seed) {
    Random random(seed);
    for (int time = 0; time < 60; ++time) {
        const Copy plane = randomPlane(random, random.between(1, 40), random.between(1, 40));
        std::vector<T> from, to;
        for (int k = 0; k < 40000; ++k) from.push_back(sample<T>(random.seed()));
        for (int k = 0; k < 40000; ++k) to.push_back(sample<T>(random.seed()));
        std::vector<T> copied = to, combined = to, expectedCopy = to, expected = to;
        forEachRow(plane, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t) {
                const auto at = static_cast<std::size_t>(start[To] + t * step[To]);
                const T value = from[static_cast<std::size_t>(start[From] + t * step[From])];
                expectedCopy[at] = value;
                expected[at] = difference(expected[at], value);
            }
        });
        const auto op = [](const T& a, const T& b) { return difference(a, b); };
        detail::copyProduct(copied.data(), from.data(), plane, sizeof(T));
        detail::copyProduct(combined.data(), from.data(), plane, sizeof(T),
                            detail::combiningBy<T>(op));
        EXPECT_TRUE(copied == expectedCopy) << "seed " << seed << ", plane " << time;
        EXPECT_TRUE(combined == expected) << "seed " << seed << ", plane " << time;
    }
}

TEST(Pack, PlanesOfAnyStepsAreCopiedAndCombined) {
    expectPlanes<char>(1);
    expectPlanes<float>(2);
    expectPlanes<double>(3);
    expectPlanes<std::int64_t>(4);
    expectPlanes<std::complex<double>>(5);
    expectPlanes<Sample>(6);
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
