// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranges go when nobody keeps them: ever different ones need no more memory; and what keeps one -
/// a variable, an array, a section, a format - finds it whole.

#include "pretend.hpp"
#include "range_registry.hpp"

#include <hpspmd/plain.hpp>

#include <numeric>
#include <thread>

namespace hpspmd::test {
namespace {

using detail::formatCount;
using detail::rangeCount;

constexpr Index many = 200'000;  // a million, with the memory: adlib/lasting_test.cpp

/// No more than the immortal ones, as many that wait for a sweep, and those in use.
constexpr std::size_t most = 3000;

template <class F>
void expectBounded(const char* what, const F& f) {
    for (Index k = 0; k < many; ++k) f(k);
    EXPECT_LT(rangeCount(), most) << what;
    EXPECT_LT(formatCount(), most) << what;
}

// In the order of this file: the second part has no immortal ones left.
TEST(ManyRanges, OfEachFormat) {
    const Pretend world(4, 1);
    const Procs2 p(2, 2);
    const Dimension d = p.dim(0);
    expectBounded("formats", [&](Index k) {
        const auto make = [&]() -> std::pair<Range, Index> {
            switch (k % 7) {
            case 0:
                return {BlockRange(k, d), k};
            case 1:
                return {CyclicRange(k, d), k};
            case 2:
                return {BlockCyclicRange(100, d, k + 1), 100};
            case 3:
                return {ExtBlockRange(100, d, k, 1), 100};
            case 4:
                return {IrregRange(std::vector<Index>{k, 3}, d), k + 3};
            case 5:
                return {CollapsedRange(k), k};
            default:
                return {whole(BlockRange(k, d)), k};
            }
        };
        const auto [x, size] = make();
        if (x.size() != size) ADD_FAILURE() << k;
    });
}

TEST(ManyRanges, Parts) {
    const Pretend world(4, 1);
    const Procs2 p(2, 2);
    const detail::On on(p);
    const BlockRange x(3000, p.dim(0));
    const auto a = create<char>(p, x, BlockRange(40, p.dim(1)), 2000);
    expectBounded("subranges", [&](Index k) {
        EXPECT_EQ(x.subrange(k % 1000, 1000 + k / 1000).size(), 1001 + k / 1000 - k % 1000);
    });
    expectBounded("sections", [&](Index k) {
        const auto part = section(a, Triplet(k % 1000, 1000 + k / 1000), Triplet(1, 38),
                                  Triplet(k % 900, 1000 + k / 1000));
        EXPECT_EQ(part.size(1), 38);
        EXPECT_EQ(part.size(2), 1001 + k / 1000 - k % 900);
    });
    expectBounded("restricted groups", [&](Index k) {
        const BlockRange y(k + 1, p.dim(1));
        const Group line = p / y[k];
        EXPECT_EQ(line.size(), 2);
    });
}

class NoneIsKept : public testing::Test {
protected:
    static void SetUpTestSuite() { detail::keepNoRanges(); }

    /// Ranges that nobody keeps go when another one is made, and their memory is taken again.
    static void sweep() {
        const Dimension d = Procs1().dim(0);
        std::vector<Range> others;
        for (Index k = 0; k < 50; ++k) others.push_back(BlockRange(7'000'000 + made_++, d));
    }

    const Pretend world_{4, 1};
    const Procs1 p_;
    const Dimension d_ = p_.dim(0);

private:
    static inline Index made_ = 0;
};

TEST_F(NoneIsKept, VariablesKeepThem) {
    sweep();
    const std::size_t ranges = rangeCount(), formats = formatCount();
    {
        auto first = std::make_unique<Range>(BlockRange(4321, d_));
        const Range second = *first;
        Range third;
        third = second;
        third = Range(third);
        first.reset();
        sweep();
        EXPECT_EQ(second.size(), 4321);
        EXPECT_EQ(second, BlockRange(4321, d_));
        EXPECT_EQ(second.record()->references, 2);
        std::vector<Range> several(3, third);
        several.erase(several.begin());
        EXPECT_EQ(second.record()->references, 4);
        std::swap(several[0], third);
        third = std::move(several[1]);
        EXPECT_EQ(second.record()->references, 4);
        sweep();
        EXPECT_EQ(rangeCount(), ranges + 1);
    }
    sweep();
    EXPECT_EQ(rangeCount(), ranges);
    EXPECT_EQ(formatCount(), formats);
}

TEST_F(NoneIsKept, PartsKeepTheirFormat) {
    const auto part = [&] { return BlockRange(4321, d_).subrange(10, 4000, 3); }();
    const Range all = whole(CyclicRange(77, d_));
    sweep();
    EXPECT_EQ(detail::describe(part), "BlockRange(4321, P=4)[[10 : 4000 : 3]]");
    EXPECT_EQ(part.location(5).crd, 0);
    EXPECT_EQ(part.location(1330).crd, 3);
    EXPECT_EQ(detail::describe(all), "whole CyclicRange(77, P=4)");
    EXPECT_EQ(all.location(6).crd, 2);
    EXPECT_TRUE(detail::fits(part, BlockRange(4321, d_)));
}

TEST_F(NoneIsKept, BlocksAndLoopsKeepTheirs) {
    const detail::On on(p_);
    Index sum = 0;
    for (const Block block : BlockCyclicRange(100, d_, 3).subrange(1, 98).localBlocks()) {
        sweep();
        sum += block.count;
    }
    EXPECT_EQ(sum, 24);
    for (auto i : overall(BlockCyclicRange(101, d_, 3).subrange(1, 98))) {
        sweep();
        sum -= i.global >= 0 ? 1 : 2;
    }
    EXPECT_EQ(sum, 0);
    for (auto i : run(CyclicRange(102, d_))) {
        sweep();
        EXPECT_EQ(i.range.size(), 102);
    }
}

Array<double, Dist> numbered(Index n, const Dimension& d) {
    const auto a = create<double>(apg(), BlockRange(n, d));
    for (auto i : overall(a.rng(0))) a(i) = static_cast<double>(i.global);
    return a;
}

double sumHere(const Array<double, Dist>& a) {
    double sum = 0;
    for (auto i : overall(a.rng(0))) sum += a(i);
    return sum;
}

TEST_F(NoneIsKept, ArraysAndSectionsKeepTheirs) {
    const detail::On on(p_);
    auto a = numbered(402, d_);
    sweep();
    EXPECT_EQ(a.size(0), 402);
    EXPECT_EQ(sumHere(a), 101 * 101 + 50 * 101);
    auto part = section(a, Triplet(110, 190, 2));
    const auto same = part, partOfPart = section(part, Triplet(1, 5));
    a = Array<double, Dist>();
    sweep();
    EXPECT_EQ(part.size(0), 41);
    EXPECT_EQ(sumHere(part), 41 * 150);
    part = Array<double, Dist>();
    sweep();
    EXPECT_EQ(sumHere(same), 41 * 150);
    EXPECT_EQ(sumHere(partOfPart), 112 + 114 + 116 + 118 + 120);
    EXPECT_EQ(same.storage(), partOfPart.storage());
    const auto stars = create<double>(p_, 31, BlockRange(50, d_));
    const auto row = section(stars, 3, Triplet());
    EXPECT_EQ(row.storageHandle().get(), stars.storageHandle().get());
}

TEST_F(NoneIsKept, ArraysLeaveNothing) {
    const detail::On on(p_);
    sweep();
    const std::size_t ranges = rangeCount(), formats = formatCount();
    {
        auto a = numbered(403, d_);
        a = section(a, Triplet(400, 3, -1));
        for (Index k = 0; k < 50; ++k) {
            a = section(a, Triplet(a.size(0) - 1, 1, -1));
            sweep();
        }
        EXPECT_EQ(a.size(0), 348);
        EXPECT_LE(rangeCount(), ranges + 3);
        const auto b = like(a), c = clone(a);
    }
    sweep();
    EXPECT_EQ(rangeCount(), ranges);
    EXPECT_EQ(formatCount(), formats);
}

TEST_F(NoneIsKept, ThreadsTakeAndDropThem) {
    sweep();
    const std::size_t ranges = rangeCount();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const detail::Activate active(world_.group());
            for (Index k = 0; k < 2000; ++k) {
                const Range x = BlockRange(1000 + k % 20, d_), y = x.subrange(t, 900 + k % 9);
                const Range z = y;
                EXPECT_EQ(z.size(), 901 + k % 9 - t);
                EXPECT_EQ(z.location(1).global, 1);
            }
        });
    for (std::thread& thread : threads) thread.join();
    sweep();
    EXPECT_EQ(rangeCount(), ranges);
}

}  // namespace
}  // namespace hpspmd::test
