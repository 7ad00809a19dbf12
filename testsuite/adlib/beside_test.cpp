// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program's own MPI calls and threads beside collectives.

#include <hpspmd/mpi.hpp>
#include <hpspmd/plain.hpp>
#include <hpspmd>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace hpspmd::test {
namespace {

TEST(Beside, MpiIsAskedForOneThreadThatCalls) {
    apg();
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    EXPECT_GE(level, MPI_THREAD_FUNNELED);
}

// Messages of the program with any tag, from anybody, while those of a schedule are under way.
TEST(Beside, OwnMessagesMeetNoneOfTheLibrary) {
    const Procs1 p;
    const On active{p};
    const ExtBlockRange x(100 * p.size(), p.dim(0), 1, 1);
    const auto a = create<double>(p, x);
    for (auto i : overall(x)) a(i) = static_cast<double>(i.global);
    Adlib::WriteHalo halo(a);
    const int next = (p.rank() + 1) % p.size();
    for (int round = 0; round < 20; ++round) {
        for (MPI_Comm own : {MPI_COMM_WORLD, comm(p)}) {
            halo.start();
            MPI_Request request;
            MPI_Isend(&round, 1, MPI_INT, next, round, own, &request);
            int got = -1;
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, own, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            EXPECT_EQ(got, round);
            MPI_Barrier(own);
            halo.finish();
        }
    }
    for (auto i : overall(x, 1, x.size() - 2)) EXPECT_EQ(a(i + 1) + a(i - 1), 2.0 * a(i));
}

// Threads of the program compute with what nobody else writes; the thread that started the
// environment makes the collectives.
TEST(Beside, ThreadsOfTheProgramCompute) {
    const Procs1 p;
    const On active{p};
    const BlockRange x(4000 * p.size(), p.dim(0));
    const auto a = create<double>(p, x), b = create<double>(p, x);
    for (auto i : overall(x)) a(i) = b(i) = 1;
    double* const mine = a.data();
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&stop, mine, t] {
            while (!stop)
                for (int k = 2000 * t; k < 2000 * (t + 1); ++k) mine[k] += 1;
        });
    for (int round = 0; round < 50; ++round) EXPECT_EQ(Adlib::sum(b), 4000.0 * p.size());
    stop = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_GE(Adlib::minval(a), 1.0);
}

}  // namespace
}  // namespace hpspmd::test
