// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the arrays of a method, of all processes of jobs of any size.

#include <adlib/changed_lines.hpp>
#include <adlib/method.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>

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

/// Which process has each element of n, as a loop over all of them would say.
using Owners = std::function<int(Index k, Index n, int processes)>;

Index roundedUp(Index n, Index parts) { return (n + parts - 1) / parts; }

/// make(n): a method over an array of n elements in the world of the moment.
template <class Make>
void expectOwners(const char* what, const Make& make, const Owners& owner) {
    for (int processes = 1; processes <= 24; ++processes)
        for (const Index n : {1, 2, 7, 24, 25, 48, 101}) {
            Index owned = 0;
            for (int rank = 0; rank < processes; ++rank) {
                const Pretend world(processes, rank);
                const auto method = make(n);
                for (const Block& block : method->range().localBlocks())
                    for (Index k = 0; k < block.count; ++k, ++owned) {
                        const Index at = block.globalBase + k * block.globalStep;
                        ASSERT_EQ(owner(at, n, processes), rank)
                            << what << ": element " << at << " of " << n << " on " << processes;
                    }
            }
            // Each is its owner's, and there are as many: so none is left out, and none is twice.
            ASSERT_EQ(owned, n) << what << " on " << processes << " processes";
        }
}

TEST(MethodParts, EveryWayToDivideOneDimensionIsDisjointAndComplete) {
    static const char elements[101] = {};
    const auto array = [](Index n) { return detail::reached(elements, n, n); };
    const auto owner = [](Index size) {
        return [size](Index k, Index n, int p) {
            return static_cast<int>(k / (roundedUp(roundedUp(n, size), p) * size));
        };
    };
    for (const Index step : {1, 2, 8})
        expectOwners(
            "steps of several elements",
            [&](Index n) {
                return std::make_unique<Method>("method", std::initializer_list{array(n)},
                                                std::initializer_list<detail::Reached>{}, 0, step);
            },
            owner(step));
    const auto dealt = [&](const Method::Format& format) {
        return [&array, format](Index n) {
            return std::make_unique<Method>("method", std::initializer_list{array(n)},
                                            std::initializer_list<detail::Reached>{}, 0, format);
        };
    };
    expectOwners("CyclicRange",
                 dealt([](Index n, const Dimension& d) { return CyclicRange(n, d); }),
                 [](Index k, Index, int p) { return static_cast<int>(k % p); });
    for (const Index size : {1, 3, 8})
        expectOwners("BlockCyclicRange", dealt([size](Index n, const Dimension& d) {
                         return BlockCyclicRange(n, d, size);
                     }),
                     [size](Index k, Index, int p) { return static_cast<int>(k / size % p); });
    // A strategy that gives the c-th part c times as much, and what is left to the last one.
    const auto sizes = [](Index n, int parts) {
        std::vector<Index> all;
        Index left = n;
        for (int c = 0; c < parts; ++c) {
            all.push_back(c + 1 == parts ? left : std::min<Index>(left, c));
            left -= all.back();
        }
        return all;
    };
    expectOwners(
        "a strategy",
        [&](Index n) {
            return std::make_unique<Method>("method", std::initializer_list{array(n)},
                                            std::initializer_list<detail::Reached>{}, 0,
                                            detail::Strategy{"rising", sizes});
        },
        [&](Index k, Index n, int p) {
            const std::vector<Index> all = sizes(n, p);
            int c = 0;
            for (Index end = all[0]; k >= end; end += all[static_cast<std::size_t>(c)]) ++c;
            return c;
        });
    // Some lines, of which all have as many, if they are half of all at most.
    for (const detail::Lines lines :
         {detail::Lines{0, 0}, detail::Lines{3, 9}, detail::Lines{40, 47}})
        expectOwners(
            "some lines",
            [&](Index n) {
                return std::make_unique<Method>("loop", std::initializer_list{array(n)},
                                                std::initializer_list<detail::Reached>{}, 0, lines);
            },
            [&](Index k, Index n, int p) {
                if (lines.last >= n || lines.count() > n / 2)
                    return static_cast<int>(k / roundedUp(n, p));
                int c = 0;
                while (c + 1 < p && k >= lines.first + lines.count() * (c + 1) / p) ++c;
                return c;
            });
}

TEST(MethodParts, ArraysOfEqualShapesAreDividedAlike) {
    static const char elements[3][132] = {};
    const auto array = [](int which, Index rows, Index columns) {
        detail::Reached all = detail::reached(elements[which], rows * columns, rows);
        all.further[0] = columns;
        return all;
    };
    const auto part = [](const Method& method, int d) {
        const Block block = method.range(d).localBlock();
        return std::array<Index, 3>{method.range(d).size(), block.globalBase, block.count};
    };
    for (int processes = 1; processes <= 24; ++processes)
        for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {10, 12}, {40, 3}})
            for (int rank = 0; rank < processes; ++rank)
                for (const int dimensions : {1, 2}) {
                    const Pretend world(processes, rank);
                    const detail::Divided divided{dimensions};
                    // Two arrays of one method or loop, and one of another, which begins later.
                    std::array<std::array<Index, 3>, 2> first{};
                    {
                        const Method method("loop",
                                            {array(0, rows, columns), array(1, rows, columns)}, {},
                                            0, divided);
                        for (int d = 0; d < dimensions; ++d)
                            first[static_cast<std::size_t>(d)] = part(method, d);
                    }
                    const Method method("other", {array(2, rows, columns)}, {}, 0, divided);
                    for (int d = 0; d < dimensions; ++d)
                        EXPECT_EQ(part(method, d), first[static_cast<std::size_t>(d)])
                            << rows << " x " << columns << " on " << processes << ", rank " << rank;
                }
}

TEST(MethodParts, ThreadsAreCutByTheStrategy) {
    static const char elements[50] = {};
    const Pretend world(1, 0);
    const Method method("method", {detail::reached(elements, 50, 50)}, {}, 0,
                        detail::Strategy{"halves", [](Index n, int parts) {
                                             std::vector<Index> all;
                                             for (int c = 1; c < parts; ++c)
                                                 all.push_back(n - n / 2), n /= 2;
                                             all.push_back(n);
                                             return all;
                                         }});
    ASSERT_NE(method.cuts(), nullptr);
    for (int parts = 1; parts <= 24; ++parts) {
        const std::vector<Index> cuts = (*method.cuts())(parts);
        ASSERT_EQ(static_cast<int>(cuts.size()), parts + 1);
        EXPECT_EQ(cuts.front(), 0);
        EXPECT_EQ(cuts.back(), 50);
        EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
    }
    EXPECT_EQ((*method.cuts())(3), (std::vector<Index>{0, 25, 38, 50}));
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
