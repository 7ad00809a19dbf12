// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the elements of patterns are divided among threads, and when a clock is asked.

#include <gtest/gtest.h>

#include <hpspmd/patterns.hpp>
#include <hpspmd>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace hpspmd::test {
namespace {

using namespace hpspmd::patterns;

TEST(PatternStretches, StretchesHoldEachElementOnce) {
    for (const double enough : {0.0, 1.0, 1e18})
        for (const int most : {2, 3})
            for (Index n = 2 * most; n < 3000; n = n < 20 ? n + 1 : 2 * n - 7) {
                std::vector<int> calls(static_cast<std::size_t>(n));
                std::vector<std::set<Index>> of(static_cast<std::size_t>(most));
                patterns::detail::Shown shown;
                const auto piece = [&](int k, Index from, Index to) {
                    for (Index t = from; t < to; ++t) {
                        ++calls[static_cast<std::size_t>(t)];
                        of[static_cast<std::size_t>(k)].insert(t);
                    }
                };
                patterns::detail::runStretches(most, n, enough, shown, piece);
                ASSERT_EQ(std::count(calls.begin(), calls.end(), 1), n);
                for (int k = 1; k < most; ++k) {
                    const auto &before = of[std::size_t(k - 1)], &here = of[std::size_t(k)];
                    ASSERT_FALSE(here.empty());
                    ASSERT_EQ(*before.rbegin() + 1, *here.begin());
                    ASSERT_LE(here.size(), before.size() + 5);
                    ASSERT_LE(before.size(), here.size() + 5);
                }
            }
}

/// Short calls ask no clock, thirty-one of them; then one is timed again. What takes longer, or has
/// more elements than that, is timed.
TEST(PatternStretches, ShortCallsNeedNoClock) {
    patterns::detail::Shown shown;
    EXPECT_FALSE(shown.isShort(1));
    shown.note(100, 1000, 32000);  // 10 ns an element, of which 3200 are worth threads
    EXPECT_TRUE(shown.isShort(200));
    EXPECT_FALSE(shown.isShort(201));
    for (int call = 1; call < 31; ++call) EXPECT_TRUE(shown.isShort(7));
    EXPECT_FALSE(shown.isShort(7));
    shown.note(100, 31000, 32000);
    EXPECT_FALSE(shown.isShort(100));
    shown.note(100, 0, 32000);  // too short for the clock
    EXPECT_TRUE(shown.isShort(100));
}

/// The same pieces of each stretch, so that sums have the same digits, by threads and without.
TEST(PatternStretches, StretchesAreTheSameWithAndWithoutAClock) {
    using Pieces = std::vector<std::vector<std::pair<Index, Index>>>;
    for (const int most : {2, 3, 5})
        for (Index n = 2 * most; n < 5000; n = 2 * n - 1) {
            const auto run = [&](patterns::detail::Shown shown, double enough) {
                Pieces pieces(static_cast<std::size_t>(most));
                patterns::detail::runStretches(
                    most, n, enough, shown, [&](int k, Index from, Index to) {
                        pieces[static_cast<std::size_t>(k)].emplace_back(from, to);
                    });
                return pieces;
            };
            const Pieces timed = run(patterns::detail::Shown(), 1e18);
            EXPECT_EQ(run(patterns::detail::Shown(), 0), timed);
            patterns::detail::Shown shown;
            shown.note(n, 1, 1e6);
            EXPECT_EQ(run(shown, 1e6), timed);
        }
}

/// Fewer than 32 are put together in their order, by threads and without.
TEST(PatternStretches, FewElementsAreReducedAsByOneThread) {
    const auto total = map([](float x) { return x / 3; }) | reduce(std::plus<>(), 0.0f);
    std::vector<float> a;
    for (int n = 0; n < 32; ++n) {
        float sum = 0;
        for (const float x : a) sum += x / 3;
        for (int call = 0; call < 3; ++call) EXPECT_EQ(total(a), sum) << n;
        a.push_back(static_cast<float>(n * n + 1));
    }
    const Procs1 p(1);
    const hpspmd::detail::On on(p);
    for (const Index n : {1, 7, 31}) {
        const auto b = create<float>(p, BlockRange(n, p.dim(0)));
        if (!b.isHeld()) continue;
        float sum = 0;
        for (Index k = 0; k < n; ++k) {
            b.data()[b.stride(0) * k] = a[static_cast<std::size_t>(k)];
            sum += a[static_cast<std::size_t>(k)] / 3;
        }
        EXPECT_EQ(total(b), sum);
    }
}

}  // namespace
}  // namespace hpspmd::test
