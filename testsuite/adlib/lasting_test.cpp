// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a function makes each time it is called, a million times: the memory stays what it is, and
/// the last call costs what the first one did.

#include <gtest/gtest.h>

#include <chrono>
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include "everything.hpp"
#include "resources.hpp"

namespace hpspmd::test {
namespace {

constexpr long little = 1 << 20;

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Calls f(number) `times` times, after some for the caches; tells how much memory that took.
template <class F>
void expectFlat(const char* what, Index times, const F& f) {
    constexpr int warmUp = 200;
    Index number = 0;
    for (int k = 0; k < warmUp; ++k) f(number++);
    const long before = memoryInUse(), comms = communicators();
    const double start = seconds();
    double first = 0;
    for (Index k = 0; k < times; ++k) {
        if (k == times / 10) first = seconds() - start;
        f(number++);
    }
    const double all = seconds() - start;
    EXPECT_LT(memoryInUse() - before, little) << what;
    EXPECT_EQ(communicators(), comms) << what;
    EXPECT_LT(all, 40 * first + 1) << what;  // 10 times, and whatever else the machine does
    if (detail::ownRank() == 0)
        std::printf("%s: %ld times, %.2f us each, %+ld bytes\n", what, static_cast<long>(times),
                    all / static_cast<double>(times) * 1e6, memoryInUse() - before);
}

constexpr Index million = 1'000'000;

TEST(Lasting, Grids) {
    expectFlat("grids of each rank", million, [](Index) {
        const Procs0 one;
        const Procs1 line;
        const Procs2 square;
        const Procs3 cube;
    });
    expectFlat("grids of other extents", million,
               [](Index k) { const Procs1 some(1 + k % apg().size()); });
    expectFlat("restricted groups, and grids in them", million, [](Index k) {
        const Procs2 p;
        const Dimension d = p.dim(0);
        const Group row = p / d[k % d.size()];
        if (const detail::On on{row}) const Procs1 inner;
    });
    expectFlat("communicators", million, [](Index) {
        const Procs1 p;
        if (comm(p) == MPI_COMM_NULL) ADD_FAILURE();
    });
}

TEST(Lasting, RangesAndSections) {
    expectFlat("ranges", million, [](Index k) {
        const Procs1 p;
        const Dimension d = p.dim(0);
        const BlockRange x(100 + k % 50, d);
        const BlockCyclicRange y(100, d, 1 + k % 20);
        EXPECT_EQ(x.subrange(k % 40, 90).size(), 91 - k % 40);
        EXPECT_EQ(y.subrange(99, k % 40, -1).size(), 100 - k % 40);
    });
    expectFlat("arrays, sections and splits", million / 10, [](Index k) {
        const Procs2 p;
        const detail::On on(p);
        const BlockRange x(30, p.dim(0)), y(20, p.dim(1));
        const auto a = create<double>(p, x, y);
        EXPECT_EQ(section(a, Triplet(k % 9, 29, 1 + k % 3), k % 20).rank(), 1);
        EXPECT_EQ(section(a, split, Triplet(k % 7, 19)).rank(), 3);
    });
}

TEST(Lasting, Collectives) {
    const Index times = detail::World::actual().size() == 1 ? million / 100 : million / 1000;
    expectFlat("a function that makes a grid and communicates", times, [](Index) {
        const Procs1 p;
        const detail::On on(p);
        const auto a = create<double>(p, ExtBlockRange(40, p.dim(0), 1, 1));
        Adlib::writeHalo(a);
        EXPECT_EQ(Adlib::sum(a), 0);
    });
    if (detail::World::actual().size() <= 2)  // of more: soak.cpp
        expectFlat("everything", times / 20, [](Index k) { Everything(k).make(); });
}

}  // namespace
}  // namespace hpspmd::test
