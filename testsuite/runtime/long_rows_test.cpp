// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Numbers of long rows by partial values, compared with loops: whole numbers, so that each order
/// gives the same.

#define HPSPMD_REDUCTIONS

#include <gtest/gtest.h>

#include <hpspmd/partial.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace hpspmd::test {
namespace {

using namespace detail;

double element(Index j) { return static_cast<double>(j * j % 1009 - 500); }

/// Of first .. first + count - 1: one number in each way, which begin with something; some of them
/// change under a condition.
template <class K>
void expectSame(K first, Index count) {
    const Index last = static_cast<Index>(first) + count - 1;
    double sum = 3, own = 3, most = -7, largest = -7, product = 0.5, factor = 0.5;
    long odd = 1, counted = 1;
    float least = 1, lowest = 1;
    const auto change = [](Index j, double& s, double& m, double& p) {
        s += element(j);
        m = m < element(j) ? element(j) : m;
        p *= j % 2 == 0 ? -1 : 1;
    };
    K j = takeLongRow<K, BySum, ByMax, ByProduct>(
        first, last, [&](const K k, auto& s, auto& m, auto& p) { change(Index(k), s, m, p); }, sum,
        most, product);
    EXPECT_GE(j, first);
    EXPECT_LE(Index(j), std::max<Index>(last + 1, Index(first)));
    for (; Index(j) <= last; ++j) change(Index(j), sum, most, product);
    j = takeLongRow<K, BySum>(
        first, last,
        [&](const K k, auto& n) {
            if (element(Index(k)) < 0) return;
            ++n;
        },
        odd);
    for (; Index(j) <= last; ++j) odd += element(Index(j)) >= 0;
    j = takeLongRow<K, ByMin>(
        first, last,
        [&](const K k, auto& l) {
            if (element(Index(k)) < l) l = static_cast<float>(element(Index(k)));
        },
        least);
    for (; Index(j) <= last; ++j) least = std::min(least, static_cast<float>(element(Index(j))));
    for (Index k = Index(first); k <= last; ++k) {
        change(k, own, largest, factor);
        counted += element(k) >= 0;
        lowest = std::min(lowest, static_cast<float>(element(k)));
    }
    EXPECT_EQ(sum, own) << count;
    EXPECT_EQ(most, largest) << count;
    EXPECT_EQ(product, factor) << count;
    EXPECT_EQ(odd, counted) << count;
    EXPECT_EQ(least, lowest) << count;
}

TEST(LongRows, giveWhatLoopsGive) {
    for (const Index count : {-2, 0, 1, 31, 32, 383, 384, 385, 640, 641, 700, 1536, 2000, 5001}) {
        expectSame<Index>(0, count);
        expectSame<Index>(-17, count);
        expectSame<int>(5, count);
        expectSame<int>(-300, count);
        expectSame<std::size_t>(3, std::max<Index>(count, 0));
    }
}

TEST(LongRows, changeNothingThatBeginsAsNoNumber) {
    double most = std::numeric_limits<double>::quiet_NaN();
    takeLongRow<Index, ByMax>(
        0, 4999, [](Index j, auto& m) { m = m < element(j) ? element(j) : m; }, most);
    EXPECT_NE(most, most);
}

TEST(LongRows, keepTheSignOfZero) {
    double sum = -0.0;
    takeLongRow<Index, BySum>(
        0, 4999, [](Index, auto& s) { s += -0.0; }, sum);
    EXPECT_TRUE(std::signbit(sum));
}

TEST(LongRows, areStoredToo) {
    std::vector<double> stored(3000);
    double sum = 0;
    Index j = takeLongRow<Index, BySum>(
        0, 2999,
        [&](const Index k, auto& s) {
            stored[static_cast<std::size_t>(k)] = element(k);
            s += 2 * stored[static_cast<std::size_t>(k)];
        },
        sum);
    EXPECT_GT(j, 2900);
    for (Index k = 0; k < j; ++k) EXPECT_EQ(stored[static_cast<std::size_t>(k)], element(k));
}

}  // namespace
}  // namespace hpspmd::test
