// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// MeasuredRange and Tuner under MPI: parts in proportion to pretended speeds and to measured ones,
/// and arrays that keep their elements when they are moved.

#include <gtest/gtest.h>

#include <hpspmd>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace hpspmd::test {
namespace {

/// Speeds 1, 2, 4, .. of the processes of the job; the environment is as before afterwards.
class PretendedSpeeds {
public:
    explicit PretendedSpeeds(const std::string& list) {
        ::setenv("HPSPMD_SPEEDS", list.c_str(), 1);
    }
    ~PretendedSpeeds() { ::unsetenv("HPSPMD_SPEEDS"); }
};

std::string powersOfTwo() {
    std::string list = "1";
    for (int k = 1; k < apg().size(); ++k) list += "," + std::to_string(1 << k);
    return list;
}

Index heldBy(const Range& x, int crd) {
    Index count = 0;
    for (const Block& block : x.blocks(crd)) count += block.count;
    return count;
}

double valueAt(Index i) { return 3.0 * static_cast<double>(i) + 1; }

/// Calls use(element, global index) for what this process holds.
template <class A, class Use>
void forEachHeld(const A& a, const Use& use) {
    for (const Block& block : a.rng(0).localBlocks())
        for (Index k = 0; k < block.count; ++k)
            use(a.data()[a.stride(0) * (block.localBase + block.localStep * k)],
                block.globalBase + block.globalStep * k);
}
template <class A>
void fill(const A& a) {
    forEachHeld(a, [](double& element, Index i) { element = valueAt(i); });
}
template <class A>
void expectFilled(const A& a) {
    forEachHeld(a, [](const double& element, Index i) { EXPECT_EQ(element, valueAt(i)); });
}

TEST(MeasuredRange, FollowsPretendedSpeeds) {
    const PretendedSpeeds speeds(powersOfTwo());
    Procs1 p;
    const Index all = (Index{1} << p.size()) - 1;
    const MeasuredRange x(10 * all, p.dim(0));
    for (int c = 0; c < p.size(); ++c) EXPECT_EQ(heldBy(x, c), 10 * (Index{1} << c));
    EXPECT_EQ(x, MeasuredRange(10 * all, p.dim(0)));
    const MeasuredRange ghosts(10 * all, p.dim(0), 2, 1);
    EXPECT_EQ(ghosts.loExtension(), 2);
    EXPECT_EQ(ghosts.hiExtension(), 1);
    EXPECT_EQ(heldBy(ghosts, 0), 10);
}

TEST(MeasuredRange, OfTheSlowestWithOneCoordinate) {
    if (apg().size() != 4) GTEST_SKIP();
    const PretendedSpeeds speeds("1,8,2,16");
    Procs2 p(2, 2);  // rows are 0 1 and 2 3
    const MeasuredRange rows(30, p.dim(0)), columns(90, p.dim(1));
    EXPECT_EQ(heldBy(rows, 0), 10);     // 1 and 2
    EXPECT_EQ(heldBy(columns, 0), 10);  // 1 and 8
}

TEST(MeasuredRange, MeasuresOncePerRun) {
    Procs1 p;
    const MeasuredRange x(1000003, p.dim(0));
    EXPECT_EQ(x.size(), 1000003);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(x, MeasuredRange(1000003, p.dim(0)));
    EXPECT_EQ(MeasuredRange(0, p.dim(0)).size(), 0);
}

TEST(MeasuredRange, TimesTheProbe) {
    Procs1 p;
    // The last process takes 4 ms for a location, the others 1 ms.
    const bool isSlow = p.size() > 1 && p.dim(0).crd() == p.size() - 1;
    int calls = 0;
    const MeasuredRange x(8 * p.size(), p.dim(0), [&](const Range& part) {
        ++calls;
        EXPECT_EQ(part.size(), 8 * p.size());
        for (const Block& block : part.localBlocks())
            std::this_thread::sleep_for(std::chrono::milliseconds(block.count * (isSlow ? 4 : 1)));
    });
    EXPECT_EQ(calls, 2);
    if (p.size() == 1) return;
    const Index slow = heldBy(x, static_cast<int>(p.size()) - 1);
    EXPECT_GE(slow, 1);
    EXPECT_LT(slow, heldBy(x, 0));
}

TEST(MeasuredRange, FewerLocationsThanProcesses) {
    Procs1 p;
    const MeasuredRange x(1, p.dim(0), [](const Range&) {});
    EXPECT_EQ(x.size(), 1);
    const MeasuredRange none(0, p.dim(0), [](const Range&) {});
    EXPECT_EQ(none.size(), 0);
}

TEST(MeasuredRange, Errors) {
    Procs1 p;
    EXPECT_THROW(MeasuredRange(-1, p.dim(0)), BadExtent);
    EXPECT_THROW(MeasuredRange(8, p.dim(0), -1, 0), BadExtent);
    EXPECT_THROW(MeasuredRange(8, Dimension()), NullArray);
    for (const char* const wrong : {"x", "1,", "1,,1", "0", "-1", "1e999", "nan", "1 2", "inf"}) {
        const PretendedSpeeds speeds(wrong);
        EXPECT_THROW(MeasuredRange(8, p.dim(0)), AdlibError) << wrong;
        EXPECT_THROW(Adlib::Tuner(p.dim(0), Adlib::Tuner::Grow), AdlibError) << wrong;
    }
    const PretendedSpeeds more(powersOfTwo() + ",3");
    EXPECT_THROW(MeasuredRange(8, p.dim(0)), AdlibError);
}

/// A step of which each process's part takes so many milliseconds per location.
void work(const Range& x, double perLocation) {
    Index held = 0;
    for (const Block& block : x.localBlocks()) held += block.count;
    std::this_thread::sleep_for(std::chrono::microseconds(
        static_cast<long>(1e3 * perLocation * static_cast<double>(held))));
}

TEST(Tuner, MovesArraysAndKeepsTheirElements) {
    const PretendedSpeeds speeds(powersOfTwo());
    Procs1 p;
    for (const auto mode : {Adlib::Tuner::Grow, Adlib::Tuner::Shrink, Adlib::Tuner::Balance}) {
        const ExtBlockRange x(37, p.dim(0), 1, 2);
        auto a = create<double>(p, x);
        auto b = create<double>(p, x, 3);
        auto c = create<double>(p, CyclicRange(11, p.dim(0)));
        fill(a);
        fill(b);
        fill(c);
        Adlib::Tuner tuner(p.dim(0), mode, 2);
        int moves = 0;
        for (int step = 0; step < 90; ++step) {
            moves += tuner.next(a, b, c);
            EXPECT_EQ(a.rng(0), b.rng(0));
            EXPECT_EQ(a.rng(0).loExtension(), 1);
            EXPECT_EQ(a.rng(0).hiExtension(), 2);
            expectFilled(a);
            expectFilled(b);
            expectFilled(c);
        }
        EXPECT_GE(moves, 1);
        EXPECT_EQ(tuner.isSettled(), mode != Adlib::Tuner::Balance);
        EXPECT_NE(tuner.report().find("process"), std::string::npos);
        Adlib::writeHalo(a);
        for (const Block& block : a.rng(0).localBlocks())
            if (block.count > 0 && block.globalBase > 0) {
                EXPECT_EQ(a.data()[a.stride(0) * (block.localBase - 1)],
                          valueAt(block.globalBase - 1));
            }
    }
}

/// The number of processes that take part in the end if each one costs so many milliseconds and
/// does no work.
int partsAtEnd(const Procs1& p, Adlib::Tuner::Mode mode, int milliseconds) {
    auto a = create<double>(p, BlockRange(16, p.dim(0)));
    const auto parts = [&a, &p] {
        int count = 0;
        for (int c = 0; c < p.size(); ++c) count += heldBy(a.rng(0), c) > 0;
        return count;
    };
    Adlib::Tuner tuner(p.dim(0), mode, 1);
    for (int step = 0; step < 60 && !tuner.isSettled(); ++step) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds * parts()));
        tuner.next(a);
    }
    EXPECT_TRUE(tuner.isSettled());
    return parts();
}

TEST(Tuner, LeavesOutProcessesThatDoNotPay) {
    Procs1 p;
    if (p.size() < 2) GTEST_SKIP();
    for (const auto mode : {Adlib::Tuner::Grow, Adlib::Tuner::Shrink}) {
        // On a machine that has other work, waiting for a core can take longer than two
        // milliseconds.
        int parts = partsAtEnd(p, mode, 2);
        for (int milliseconds = 10; parts > 1 && milliseconds <= 50; milliseconds += 40)
            parts = partsAtEnd(p, mode, milliseconds);
        EXPECT_EQ(parts, 1);
    }
}

TEST(Tuner, BalancesWhatTakesLonger) {
    Procs1 p;
    if (p.size() < 2) GTEST_SKIP();
    auto a = create<double>(p, BlockRange(12 * p.size(), p.dim(0)));
    fill(a);
    Adlib::Tuner tuner(p.dim(0), Adlib::Tuner::Balance, 2);
    const double perLocation = p.dim(0).crd() == 0 ? 1.5 : 0.5;
    for (int step = 0; step < 16; ++step) {
        work(a.rng(0), perLocation);
        Adlib::sum(a);  // waits for the slowest
        tuner.next(a);
    }
    expectFilled(a);
    EXPECT_LT(2 * heldBy(a.rng(0), 0), heldBy(a.rng(0), 1) + 2) << tuner.report();
    EXPECT_FALSE(tuner.isSettled());
}

/// The end of a round, of which each call here is one: what the processes tell each other and
/// decide, where nothing is moved. The least of many, since processes wait for cores, too.
TEST(Tuner, ARoundTakesHalfAMillisecondAtMost) {
    Procs1 p;
    double least = 1;
    int rounds = 0;
    for (int attempt = 0; attempt < 200 && rounds < 100; ++attempt) {
        auto a = create<double>(p, BlockRange(12 * p.size(), p.dim(0)));
        Adlib::Tuner tuner(p.dim(0), Adlib::Tuner::Balance, 1);
        bool isUnderWay = false;  // the first call behind a move only begins a round
        for (int k = 0; k < 100 && !tuner.isSettled(); ++k) {
            Adlib::sum(a);  // all processes come at the same time
            const auto begin = std::chrono::steady_clock::now();
            const bool isMoved = tuner.next(a);
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
            if (isUnderWay && !isMoved) {
                least = std::min(least, time.count());
                ++rounds;
            }
            isUnderWay = !isMoved;
        }
    }
    EXPECT_GE(rounds, 20);
    EXPECT_LE(least, 0.5e-3);
    if (p.dim(0).crd() == 0) std::printf("%d rounds, one took %.1f us\n", rounds, 1e6 * least);
}

TEST(Tuner, Errors) {
    Procs1 p;
    EXPECT_THROW(Adlib::Tuner(p.dim(0), Adlib::Tuner::Grow, 0), BadExtent);
    EXPECT_THROW(Adlib::Tuner(Dimension(), Adlib::Tuner::Grow), NullArray);
    const BlockRange x(10, p.dim(0));
    auto part = create<double>(p, x.subrange(2, 7));
    Adlib::Tuner tuner(p.dim(0), Adlib::Tuner::Shrink);
    EXPECT_THROW(tuner.next(part), AdlibError);
    Array<double, Dist> none;
    Adlib::Tuner other(p.dim(0), Adlib::Tuner::Shrink);
    EXPECT_THROW(other.next(none), NullArray);
}

}  // namespace
}  // namespace hpspmd::test
