// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What several threads of a program may do at once, under ThreadSanitizer: make, hand on and drop
/// grids, groups, ranges, arrays and sections, and read and write elements of their own.

#include <gtest/gtest.h>

#include <atomic>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <mutex>
#include <thread>
#include <vector>

#include "arena.hpp"
#include "pretend.hpp"

namespace hpspmd::test {
namespace {

/// The library starts in the thread that communicates.
class Races : public testing::Test {
protected:
    Races() { apg(); }
};

constexpr int threadCount = 4;
constexpr Index rounds = 2000;

/// f(t) in each thread t, at once.
template <class F>
void inThreads(const F& f) {
    std::vector<std::thread> threads;
    for (int t = 0; t < threadCount; ++t) threads.emplace_back([&f, t] { f(t); });
    for (std::thread& thread : threads) thread.join();
}

Range rangeOf(Index kind, Index extent, const Dimension& d) {
    switch (kind % 5) {
    case 0:
        return BlockRange(extent, d);
    case 1:
        return CyclicRange(extent, d);
    case 2:
        return BlockCyclicRange(extent, d, 3);
    case 3:
        return ExtBlockRange(extent, d, 1, 1);
    default:
        return CollapsedRange(extent);
    }
}

using Vector = Array<double, Dist>;

TEST_F(Races, MakeAndDrop) {
    const std::size_t before = detail::arenaBytesInUse();
    inThreads([&](int t) {
        for (Index k = 1; k <= rounds; ++k) {
            const Procs1 p;
            const detail::On on(p);
            const Range x = rangeOf(k + t, 8 + k % 20, p.dim(0));
            const Vector a = create<double>(p, x);
            const auto part = section(a, Triplet(k % 8, 7));
            for (auto i : overall(x)) a(i) = static_cast<double>(i.global);
            EXPECT_EQ(part.size(0), 8 - k % 8);
        }
    });
    EXPECT_EQ(detail::arenaBytesInUse(), before);
}

/// An array is dropped by another thread than the one that has made it.
TEST_F(Races, HandOn) {
    const std::size_t before = detail::arenaBytesInUse();
    std::atomic<Vector*> last{nullptr};
    inThreads([&](int t) {
        for (Index k = 1; k <= rounds; ++k) {
            const Procs1 p;
            const detail::On on(p);
            delete last.exchange(new Vector(create<double>(p, rangeOf(k + t, 16, p.dim(0)))));
        }
    });
    delete last.load();
    EXPECT_EQ(detail::arenaBytesInUse(), before);
}

/// All threads look at one grid: its restrictions, ranges and arrays, which they copy.
TEST_F(Races, LookAtTheSame) {
    const Procs2 p;
    const detail::On on(p);
    const BlockRange x(16, p.dim(0)), y(16, p.dim(1));
    const auto a = create<double>(p, x, y);
    inThreads([&](int t) {
        const detail::On own(p);
        for (Index k = 0; k < rounds; ++k) {
            const std::vector copies(2, a);
            const Group column = detail::restrict(p, p.dim(1), 0);
            EXPECT_EQ(column.size(), 1);
            for (Index j = 0; j < 16; ++j)
                copies[1].data()[a.stride(0) * t + a.stride(1) * j] = static_cast<double>(k);
        }
    });
    EXPECT_EQ(a.data()[a.stride(0) + a.stride(1)], static_cast<double>(rounds - 1));
}

}  // namespace
}  // namespace hpspmd::test
