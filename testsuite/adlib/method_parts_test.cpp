// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the arrays of a method, of all processes of jobs of any size.

#include <adlib/changed_lines.hpp>
#include <adlib/method.hpp>

#include <map>

#include "../runtime/pretend.hpp"

namespace hpspmd::test {
namespace {

using detail::Method;

Index product(const std::vector<Index>& numbers) {
    Index all = 1;
    for (const Index each : numbers) all *= each;
    return all;
}

/// How often each element is one of a process's own, of an array with these extents.
std::map<Index, int> holders(int processes, const std::vector<Index>& extents) {
    std::map<Index, int> held;
    std::vector<char> elements(static_cast<std::size_t>(product(extents)));
    detail::Reached array =
        detail::reached(elements.data(), static_cast<Index>(elements.size()), extents[0]);
    for (std::size_t r = 1; r < extents.size(); ++r) array.further[r - 1] = extents[r];
    for (int rank = 0; rank < processes; ++rank) {
        const Pretend world(processes, rank);
        const Method method("method", {array}, {}, 0,
                            detail::Divided{static_cast<int>(extents.size())});
        std::vector<Index> places{0};
        for (std::size_t r = 0; r < extents.size(); ++r) {
            std::vector<Index> longer;
            for (const Index place : places)
                for (const Block& block : method.range(static_cast<int>(r)).localBlocks())
                    for (Index k = 0; k < block.count; ++k)
                        longer.push_back(place * extents[r] + block.globalBase + k);
            places = std::move(longer);
        }
        for (const Index place : places) ++held[place];
    }
    return held;
}

TEST(MethodParts, BlocksOfAnyDimensionsAreDisjointAndComplete) {
    const std::vector<std::vector<Index>> arrays = {{1},    {7},      {48},      {3, 2},
                                                    {9, 5}, {30, 31}, {2, 3, 2}, {7, 9, 8}};
    for (int processes = 1; processes <= 24; ++processes)
        for (const std::vector<Index>& extents : arrays) {
            const auto held = holders(processes, extents);
            EXPECT_EQ(static_cast<Index>(held.size()), product(extents)) << processes;
            for (const auto& [place, times] : held)
                EXPECT_EQ(times, 1) << place << " on " << processes << " processes";
        }
}

TEST(MethodParts, ArraysOfOtherExtentsAreNotDivided) {
    const char elements[64] = {}, others[64] = {};
    detail::Reached a = detail::reached(elements, 64, 8), b = detail::reached(others, 64, 8);
    a.further[0] = 8;
    b.further[0] = 7;
    for (const bool isAlike : {false, true}) {
        if (isAlike) b.further[0] = 8;
        const Pretend world(6, 4);
        const Method method("method", {a, b}, {}, 0, detail::Divided{2});
        EXPECT_EQ(method.isSingle(), !isAlike);
        EXPECT_EQ(method.range(1).localBlock().count, isAlike ? 4 : 8);
        EXPECT_EQ(apg().size(), isAlike ? 6 : 1);
    }
}

TEST(MethodParts, ALoopOverSomeLinesIsDividedEvenly) {
    const char elements[100] = {};
    const detail::Reached array = detail::reached(elements, 100, 100);
    const auto own = [&](int rank, detail::Lines lines) {
        const Pretend world(4, rank);
        const Method method("loop", {array}, {}, 0, lines);
        return method.range().localBlock(lines.first, lines.last).count;
    };
    Index all = 0;
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(own(rank, {10, 29}), 5) << rank;
        EXPECT_EQ(own(rank, {0, 99}), 25) << rank;
        EXPECT_EQ(own(rank, {20, 98}), rank == 0 ? 5 : rank == 3 ? 24 : 25) << rank;
        all += own(rank, {97, 99});
    }
    EXPECT_EQ(all, 3);
}

TEST(MethodParts, LinesThatAllHaveBeenTold) {
    detail::ChangedLines lines;
    const char array = 0, other = 0;
    EXPECT_EQ(lines.of(&array).count(), 0);
    lines.add(&array, {3, 9});
    lines.add(&other, {0, 0});
    lines.add(&array, {5, 4});  // none
    lines.remove(&array, 6);    // in the middle
    EXPECT_TRUE(lines.of(&array).contain(6));
    lines.remove(&array, 3);
    lines.remove(&array, 9);
    EXPECT_EQ(lines.of(&array).first, 4);
    EXPECT_EQ(lines.of(&array).last, 8);
    lines.add(&array, {11, 12});
    EXPECT_EQ(lines.of(&array).count(), 9);
    lines.add(&array, detail::Lines::all());
    EXPECT_FALSE(areFew(lines.of(&array)));
    lines.forget(&array);
    lines.remove(&other, 0);
    EXPECT_EQ(lines.of(&array).count() + lines.of(&other).count(), 0);
}

}  // namespace
}  // namespace hpspmd::test
