// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads of the program: one at a time calls collectives; all may make and drop arrays, grids and
/// ranges.

#include <gtest/gtest.h>

#include <atomic>
#include <hpspmd>
#include <string>
#include <thread>
#include <vector>

#include "arena.hpp"
#include "errors.hpp"

namespace hpspmd::test {
namespace {

class SeveralThreads : public testing::Test {
protected:
    /// f(), in another thread, while this one is in a collective that computes.
    template <class F>
    std::string meanwhile(const F& f) const {
        std::string message;
        std::thread other;
        Adlib::reduce(
            a,
            [&](double u, double v) {
                if (!other.joinable()) {
                    other = std::thread([&] { message = messageOf(f); });
                    other.join();
                    other = std::thread([] {});
                }
                return u + v;
            },
            0);
        if (other.joinable()) other.join();
        return message;
    }

    Procs1 p;
    ExtBlockRange x{8 * p.size(), p.dim(0), 1, 1};
    Array<double, Dist> a = create<double>(p, x), b = like(a);
};

TEST_F(SeveralThreads, InCollectivesAreAnErrorThatNamesBoth) {
    Adlib::Remap remap(b, a);
    Adlib::Sum sum(a);
    const auto expectBoth = [&](const char* name, const auto& f) {
        const std::string message = meanwhile(f);
        EXPECT_NE(message.find(std::string(name) + ": another thread of this process is in reduce"),
                  std::string::npos)
            << message;
        EXPECT_NE(message.find("several_threads_test.cpp:"),
                  message.rfind("several_threads_test.cpp:"))
            << message;
    };
    expectBoth("sum", [&] { Adlib::sum(a); });
    expectBoth("writeHalo", [&] { Adlib::writeHalo(a); });
    expectBoth("writeHalo", [&] { Adlib::writeHalo(a, b); });
    expectBoth("remap", [&] { Adlib::remap(b, a); });
    expectBoth("Remap", [&] { remap.start(); });
    expectBoth("Remap", [&] { remap.finish(); });
    expectBoth("Remap", [&] { Adlib::Remap(b, a); });
    expectBoth("sum", [&] { sum.start(); });
    expectBoth("sum", [&] { sum.finish(); });
    expectBoth("fence", [&] { Adlib::fence(a); });
    expectBoth("scan", [&] { Adlib::scan(b, a, std::plus<>()); });
    expectBoth("aprintf", [&] { Adlib::aprintf("%g", a); });
    EXPECT_EQ(Adlib::sum(a), 0);
}

/// The look-alike: each thread waits until the one before it is out.
TEST_F(SeveralThreads, OneAfterTheOtherMayCommunicate) {
    const Group all = p;
    for (int k = 0; k < 3; ++k)
        std::thread([&] {
            const detail::On on(all);
            Adlib::writeHalo(a);
            EXPECT_EQ(Adlib::sum(a), 0);
        }).join();
    EXPECT_EQ(Adlib::sum(a), 0);
}

TEST_F(SeveralThreads, MakeAndDropArraysAtOnce) {
    const std::size_t before = detail::arenaBytesInUse();
    std::vector<std::thread> threads;
    std::atomic<Array<double, Dist>*> last{nullptr};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (Index k = 1; k <= 2000; ++k) {
                const Procs1 q;
                const detail::On on(q);
                const BlockRange y(8 + (k + t) % 50, q.dim(0));
                auto* mine = new Array<double, Dist>(create<double>(q, y));
                const auto part = section(*mine, Triplet(k % 8, 7));
                EXPECT_EQ(part.size(0), 8 - k % 8);
                delete last.exchange(mine);  // perhaps that of another thread
            }
        });
    for (std::thread& thread : threads) thread.join();
    delete last.load();
    EXPECT_EQ(detail::arenaBytesInUse(), before);
}

}  // namespace
}  // namespace hpspmd::test
