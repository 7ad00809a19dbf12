// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a function makes each time it is called, a million times: the memory stays what it is, and
/// the last call costs what the first one did.

#include <gtest/gtest.h>

#include <chrono>
#include <hpspmd/mpi.hpp>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <optional>

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
    constexpr int warmUp = 4000;  // 2,000 ranges that may go wait for others
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

TEST(Lasting, EverDifferentRanges) {
    const Procs2 p;
    const detail::On on(p);
    const Dimension d = p.dim(0);
    expectFlat("ranges of each format, ever different", million, [&](Index k) {
        std::vector<Index> sizes(static_cast<std::size_t>(d.size()), 3);
        sizes[0] = k;
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
                return {IrregRange(sizes, d), k + 3 * (d.size() - 1)};
            case 5:
                return {CollapsedRange(k), k};
            default:
                return {whole(BlockRange(k, d)), k};
            }
        };
        const auto [x, size] = make();
        if (x.size() != size) ADD_FAILURE() << k;
    });
    const BlockRange x(3000, d);
    const auto a = create<char>(p, x, BlockRange(8, p.dim(1)), 20);
    expectFlat("subranges and sections, ever different", million, [&](Index k) {
        const Range part = x.subrange(k % 1000, 1010 + k / 1000);
        const auto section = hpspmd::section(a, Triplet(k % 1000, 1010 + k / 1000), Triplet(0, 6),
                                             Triplet(k % 7, 10 + k % 9));
        if (section.rng(0) != part) ADD_FAILURE() << k;
    });
    expectFlat("groups at locations of ranges, ever different", million, [&](Index k) {
        const BlockRange y(k + 1, p.dim(1));
        const Group line = p / y[k];
        if (line.size() != d.size()) ADD_FAILURE() << k;
    });
    expectFlat("arrays of ever different extents", million / 10, [&](Index k) {
        const auto b = create<char>(p, BlockRange(k % 5000 + k / 5000, d), 1 + k % 11);
        if (b.rng(0).size() != k % 5000 + k / 5000) ADD_FAILURE() << k;
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

/// Ranges that nobody keeps go, and others are made where they were.
void makeOthers(const Dimension& d) {
    static Index made = 0;
    std::vector<Range> others;
    for (Index k = 0; k < 3000; ++k) others.push_back(BlockRange(8'000'000 + made++, d));
}

using Vector = Array<double, Dist>;

template <class Value>
Vector filled(const Range& x, const Value& value) {
    const auto a = create<double>(apg(), x);
    for (auto i : overall(x)) a(i) = value(i.global);
    return a;
}

double numberOf(Index n) { return static_cast<double>(n); }

/// The rest of an array of n numbers, of which nothing else is left.
Vector rest(Index n, const Dimension& d) {
    const Vector a = filled(BlockRange(n, d), numberOf);
    return section(a, Triplet(n - 1, 10, -1));
}

double difference(const Vector& a, Index first, Index step) {
    double sum = 0;
    for (auto i : overall(a.rng(0))) sum += std::abs(a(i) - numberOf(first + step * i.global));
    const auto each = create<double>(apg(), BlockRange(apg().size(), Dimension(a.rng(0).dim())));
    for (auto i : overall(each.rng(0))) each(i) = sum;
    return Adlib::sum(each);
}

TEST(Lasting, WhatKeepsRanges) {
    const Procs1 p;
    const detail::On on(p);
    const Dimension d = p.dim(0);
    for (Index n = 60; n < 80; ++n) {
        const Vector part = rest(n, d);
        Vector copy = filled(CyclicRange(n - 10, d), [](Index) { return 0.0; });
        std::optional<Adlib::Remap<Vector, Vector>> remap;
        remap.emplace(copy, part);
        makeOthers(d);
        EXPECT_EQ(part.size(0), n - 10);
        remap->execute();
        makeOthers(d);
        remap->start(copy, rest(n, d));
        makeOthers(d);
        remap->finish();
        remap.reset();
        makeOthers(d);
        EXPECT_EQ(difference(copy, n - 1, -1), 0);

        // The cached schedule of ranges that have gone since.
        for (int k = 0; k < 3; ++k) {
            const Vector to = filled(CyclicRange(n - 10, d), [](Index) { return 0.0; });
            Adlib::remap(to, rest(n, d));
            makeOthers(d);
            EXPECT_EQ(difference(to, n - 1, -1), 0);
        }

        Vector all = filled(BlockRange(n, d), numberOf);
        const auto here = create<double>(p, 5);
        Adlib::fence(all);
        Adlib::get(here, section(all, Triplet(n - 20, n - 16)));
        makeOthers(d);
        Adlib::fence(all);
        for (Index k = 0; k < 5; ++k)
            if (here(k) != numberOf(n - 20 + k)) ADD_FAILURE() << n << ' ' << k;
    }
}

}  // namespace
}  // namespace hpspmd::test
