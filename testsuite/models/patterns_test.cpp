// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Patterns over containers and multiarrays of both kinds, against plain loops.

#include <gtest/gtest.h>

#include <algorithm>
#include <hpspmd/patterns.hpp>
#include <hpspmd>
#include <limits>
#include <numeric>
#include <string>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

using patterns::map;
using patterns::reduce;
using patterns::zip;

std::vector<double> numbers(Index n, double scale = 1) {
    std::vector<double> result(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < result.size(); ++k)
        result[k] = scale * static_cast<double>((k * 7) % 31) + 0.5;
    return result;
}

/// A value that tells places of an array of rank 1 or 2 apart.
double valueAt(Index i, Index j = 0) { return static_cast<double>(3 * i + 7 * j % 11) + 0.25; }

/// Calls use(element, i, j) for the elements of `a` that this process holds.
template <class T, class Use>
void forEachHeld(const Array<T, Dist, Dist>& a, const Use& use) {
    if (!a.isHeld()) return;
    for (const Block rows : a.rng(0).localBlocks())
        for (Index k = 0; k < rows.count; ++k)
            for (const Block columns : a.rng(1).localBlocks())
                for (Index l = 0; l < columns.count; ++l)
                    use(a.data()[a.stride(0) * (rows.localBase + rows.localStep * k) +
                                 a.stride(1) * (columns.localBase + columns.localStep * l)],
                        rows.globalBase + rows.globalStep * k,
                        columns.globalBase + columns.globalStep * l);
}

TEST(Patterns, MapOfVectorsIsTheLoop) {
    for (const Index n : {0, 1, 2, 7, 64, 1000, 5003}) {
        const auto a = numbers(n), b = numbers(n, 0.25);
        const double alpha = 2.5;
        const auto saxpy = map([alpha](double x, double y) { return alpha * x + y; });
        const std::vector<double> found = saxpy(a, b);
        ASSERT_EQ(found.size(), a.size());
        for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k], alpha * a[k] + b[k]);
    }
}

TEST(Patterns, IntoMayNameAnArgument) {
    auto a = numbers(1001), b = numbers(1001, 3);
    const auto before = a;
    map([](double x, double y) { return x * y; }).into(a, a, b);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], before[k] * b[k]);
}

TEST(Patterns, AnyContainerAndAnyNumberOfThem) {
    const int c[] = {1, 2, 3, 4};
    const std::array<short, 4> d = {10, 20, 30, 40};
    const std::vector<long> e = {100, 200, 300, 400};
    const auto sum = [](auto... x) { return (0L + ... + x); };
    EXPECT_EQ((zip | map(sum))(c, d, e), (std::vector<long>{111, 222, 333, 444}));
    EXPECT_EQ(map(sum)(c, d, e, c, d, e, c), (std::vector<long>{223, 446, 669, 892}));
    EXPECT_EQ((map(sum) | reduce(std::plus<>(), 0L))(c, d, e), 1110);
    int target[4] = {};
    map([](int x) { return -x; }).into(target, c);
    EXPECT_EQ(target[3], -4);
}

TEST(Patterns, ChainsAreFused) {
    const auto a = numbers(3000);
    int calls = 0;
    const auto counted = map([&](double x) { return ++calls, std::tuple(x, 2 * x); }) |
                         map([](double x, double y) { return x + y; }) |
                         map([](double z) { return static_cast<float>(z); });
    const int most = detail::mostThreads(detail::Site::here());
    std::vector<float> found;
    if (most == 1) {
        found = counted(a);
        EXPECT_EQ(calls, 3000);
    } else {
        found = (map([](double x) { return std::tuple(x, 2 * x); }) |
                 map([](double x, double y) { return x + y; }) |
                 map([](double z) { return static_cast<float>(z); }))(a);
    }
    for (std::size_t k = 0; k < a.size(); ++k)
        EXPECT_EQ(found[k], static_cast<float>(a[k] + 2 * a[k]));
}

TEST(Patterns, ATupleIsATupleOfArrays) {
    const auto prices = numbers(777);
    const auto both = map([](double x) { return std::tuple(x + 1, static_cast<int>(x)); });
    auto [more, whole] = both(prices);
    static_assert(std::is_same_v<decltype(whole), std::vector<int>>);
    std::vector<double> other(777);
    std::vector<int> others(777);
    both.into(std::tie(other, others), prices);
    for (std::size_t k = 0; k < prices.size(); ++k) {
        EXPECT_EQ(more[k], prices[k] + 1);
        EXPECT_EQ(whole[k], static_cast<int>(prices[k]));
    }
    EXPECT_EQ(other, more);
    EXPECT_EQ(others, whole);
}

TEST(Patterns, ReduceStartsOnce) {
    for (const Index n : {0, 1, 5, 8, 17, 4096, 9999}) {
        std::vector<long> a(static_cast<std::size_t>(n));
        std::iota(a.begin(), a.end(), 1);
        EXPECT_EQ(reduce(std::plus<>(), 5L)(a), 5 + n * (n + 1) / 2);
        const auto larger = [](long x, long y) { return std::max(x, y); };
        EXPECT_EQ(reduce(larger, -3L)(a), n == 0 ? -3 : n);
    }
}

TEST(Patterns, AnAssociativeOperationNeedNotCommute) {
    std::vector<std::string> words;
    std::string wanted = ">";
    for (int k = 0; k < 3001; ++k) wanted += words.emplace_back(1, static_cast<char>('a' + k % 26));
    EXPECT_EQ(reduce(std::plus<>(), std::string(">"))(words), wanted);
    const auto join = [](const std::string& x, const std::string& y) { return x + y; };
    EXPECT_EQ(reduce(join, std::string(">"))(words), wanted);
}

TEST(Patterns, TuplesAreReducedAsTuples) {
    const auto a = numbers(2050);
    using Ends = std::tuple<double, double>;
    const auto ends = map([](double x) { return std::tuple(x, x); }) |
                      reduce(
                          [](const Ends& x, const Ends& y) {
                              return Ends(std::min(std::get<0>(x), std::get<0>(y)),
                                          std::max(std::get<1>(x), std::get<1>(y)));
                          },
                          Ends(1e9, -1e9));
    EXPECT_EQ(ends(a),
              Ends(*std::min_element(a.begin(), a.end()), *std::max_element(a.begin(), a.end())));
}

TEST(Patterns, TheSameDigitsEachTime) {
    std::vector<double> a(30000);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = 1.0 / static_cast<double>(k + 1);
    const auto total = map([](double x) { return x * x; }) | reduce(std::plus<>(), 0.0);
    const double first = total(a);
    for (int k = 0; k < 20; ++k) EXPECT_EQ(total(a), first);
}

TEST(Patterns, ReproducibleSums) {
    std::vector<double> a(3001);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = (k % 2 ? 1e12 : -1e12) + 1.0 / double(k + 3);
    auto shuffled = a;
    std::reverse(shuffled.begin(), shuffled.end());
    std::rotate(shuffled.begin(), shuffled.begin() + 1234, shuffled.end());
    const auto sum = reduce(std::plus<>(), 0.125);
    Adlib::setReproducible(true);
    EXPECT_EQ(sum(a), sum(shuffled));
    Adlib::setReproducible(false);
    EXPECT_NE(sum(a), sum(shuffled));
}

TEST(Patterns, SequentialMultiarrays) {
    const Array<double, Seq, Seq> a = create<double>(apg(), 5, 9), b = create<double>(apg(), 5, 9);
    for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 9; ++j) {
            a.data()[a.stride(0) * i + j] = valueAt(i, j);
            b.data()[b.stride(0) * i + j] = valueAt(j, i);
        }
    Array<float, Seq, Seq> c =
        map([](double x, double y) { return static_cast<float>(x - y); })(a, b);
    for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 9; ++j)
            EXPECT_EQ(c.data()[c.stride(0) * i + j], float(valueAt(i, j) - valueAt(j, i)));
    const double sum = reduce(std::plus<>(), 0.0)(a);
    double wanted = 0;
    for (Index i = 0; i < 5; ++i)
        for (Index j = 0; j < 9; ++j) wanted += valueAt(i, j);
    EXPECT_EQ(sum, wanted);
}

TEST(Patterns, SectionsOfSequentialMultiarrays) {
    const Array<double, Seq, Seq> a = create<double>(apg(), 6, 7);
    for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 7; ++j) a.data()[a.stride(0) * i + j] = valueAt(i, j);
    const auto row = section(a, Triplet(), 3);
    const auto doubled = map([](double x) { return 2 * x; })(row);
    for (Index i = 0; i < 6; ++i)
        EXPECT_EQ(doubled.data()[doubled.stride(0) * i], 2 * valueAt(i, 3));
}

/// Every pair of ranges with each of these formats.
template <class Use>
void forEachPair(const Procs2& p, Index rows, Index columns, const Use& use) {
    const auto ranges = [](Index n, const Dimension& d) {
        return std::vector<Range>{BlockRange(n, d), CyclicRange(n, d), BlockCyclicRange(n, d, 2),
                                  ExtBlockRange(n, d, 1, 1), CollapsedRange(n)};
    };
    for (const Range& x : ranges(rows, p.dim(0)))
        for (const Range& y : ranges(columns, p.dim(1))) use(x, y);
}

TEST(Patterns, DistributedMultiarrays) {
    const Procs2 p;
    const detail::On on(p);
    if (!on) return;
    forEachPair(p, 13, 11, [](const Range& x, const Range& y) {
        const Array<double, Dist, Dist> a = create<double>(apg(), x, y),
                                        b = create<double>(apg(), x, y);
        forEachHeld(a, [](double& e, Index i, Index j) { e = valueAt(i, j); });
        forEachHeld(b, [](double& e, Index i, Index j) { e = valueAt(j, i); });
        const auto product = map([](double s, double t) { return s * t; });
        const Array<double, Dist, Dist> c = product(a, b);
        forEachHeld(
            c, [](double& e, Index i, Index j) { EXPECT_EQ(e, valueAt(i, j) * valueAt(j, i)); });
        product.into(b, a, b);
        forEachHeld(
            b, [](double& e, Index i, Index j) { EXPECT_EQ(e, valueAt(i, j) * valueAt(j, i)); });
        double wanted = 100, largest = 0;
        for (Index i = 0; i < 13; ++i)
            for (Index j = 0; j < 11; ++j) {
                wanted += valueAt(i, j);
                largest = std::max(largest, valueAt(i, j));
            }
        EXPECT_EQ(reduce(std::plus<>(), 100.0)(a), wanted);
        const auto larger = [](double s, double t) { return std::max(s, t); };
        EXPECT_EQ(reduce(larger, 0.0)(a), largest);
    });
}

TEST(Patterns, ATupleOfDistributedMultiarrays) {
    const Procs1 p;
    const ExtBlockRange x(29, p.dim(0), 1, 1);
    const Array<double, Dist> a = create<double>(p, x);
    for (const Block block : x.localBlocks())
        for (Index k = 0; k < block.count; ++k)
            a.data()[block.localBase + k] = valueAt(block.globalBase + k);
    auto [half, floor] = map([](double e) { return std::tuple(e / 2, long(e)); })(a);
    EXPECT_TRUE(detail::fits(floor.rng(0), x));
    for (const Block block : x.localBlocks())
        for (Index k = 0; k < block.count; ++k) {
            EXPECT_EQ(half.data()[block.localBase + k], valueAt(block.globalBase + k) / 2);
            EXPECT_EQ(floor.data()[block.localBase + k], long(valueAt(block.globalBase + k)));
        }
}

TEST(Patterns, WritingMakesGhostCellsStale) {
    const Procs1 p;
    const ExtBlockRange x(12, p.dim(0), 1, 1);
    const Array<double, Dist> a = create<double>(p, x);
    Adlib::writeHalo(a);
    EXPECT_TRUE(a.ghosts()->areFresh(a.maps()[0], 0, 1, 1));
    map([](double e) { return e + 1; }).into(a, a);
    Adlib::writeHalo(a);
    map([](double e) { return e + 1; }).into(a, a);
    EXPECT_EQ(a.ghosts()->areFresh(a.maps()[0], 0, 1, 1), p.dim(0).size() == 1);
}

TEST(Patterns, AReplicatedArrayCountsOnce) {
    const Procs2 p;
    const detail::On on(p);
    if (!on) return;
    const BlockRange x(10, p.dim(0));
    const Array<int, Dist> a = create<int>(apg(), x);
    for (const Block block : x.localBlocks())
        for (Index k = 0; k < block.count; ++k)
            a.data()[block.localBase + k] = int(block.globalBase + k);
    EXPECT_EQ(reduce(std::plus<>(), 0)(a), 45);
}

TEST(Patterns, ArraysOfRankZero) {
    const Array<double> a = create<double>(apg());
    *a.data() = 4;
    const Array<double> b = map([](double x) { return x + 1; })(a);
    EXPECT_EQ(*b.data(), 5);
    EXPECT_EQ(reduce(std::plus<>(), 1.0)(a), 5);
}

TEST(Patterns, WrongShapes) {
    const auto add = map([](double x, double y) { return x + y; });
    EXPECT_MESSAGE(add(numbers(3), numbers(4)),
                   "map: the first array has 3 elements, the second array has 4");
    std::vector<double> target(5);
    EXPECT_MESSAGE(add.into(target, numbers(4), numbers(4)),
                   "map: the first array has 4 elements, the result has 5");
    const Array<double, Seq, Seq> a = create<double>(apg(), 2, 6), b = create<double>(apg(), 3, 4);
    EXPECT_MESSAGE(add(a, b), "the first array is 2 x 6, the second array is 3 x 4");
    EXPECT_THROW(add(a, Array<double, Seq, Seq>()), NullArray);
    const auto dot = add | reduce(std::plus<>(), 0.0);
    EXPECT_MESSAGE(dot(numbers(3), numbers(4)), "patterns_test.cpp");
    EXPECT_MESSAGE(dot(numbers(3), numbers(4)), "reduce: the first array has 3 elements");
}

TEST(Patterns, NotAligned) {
    const Procs1 p;
    const detail::On on(p);
    const Array<double, Dist> a = create<double>(p, BlockRange(10, p.dim(0))),
                              b = create<double>(p, CyclicRange(10, p.dim(0)));
    EXPECT_MESSAGE(map([](double x, double y) { return x + y; })(a, b),
                   "map: the arrays are not aligned: the first array is BlockRange(10");
    const detail::Active active(p.dim(0));
    EXPECT_MESSAGE(reduce(std::plus<>(), 0.0)(a), "not contained in the active process group");
}

TEST(Patterns, WhatAFunctionThrowsArrives) {
    const auto a = numbers(4000);
    const auto check = map([](double x) { return x < 1000 ? x : throw std::range_error("x"); });
    EXPECT_NO_THROW(check(a));
    auto b = a;
    b[3777] = 1001;
    EXPECT_THROW(check(b), std::range_error);
}

TEST(Patterns, ThreadsAreUsed) {
    std::vector<int> a(3000);
    const std::vector<int> who = map([](int) { return detail::threadNumber; })(a);
    EXPECT_EQ(*std::max_element(who.begin(), who.end()),
              detail::mostThreads(detail::Site::here()) - 1);
}

}  // namespace
}  // namespace hpspmd::test
