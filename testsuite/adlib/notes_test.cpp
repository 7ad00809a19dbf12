// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Notes between nodes: however many are written, few are under way.

#include <gtest/gtest.h>

#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include "resources.hpp"
#include "watch/notes.hpp"

namespace hpspmd::test {
namespace {

constexpr long notes = 1'000'000, little = 1 << 20;

class Notes : public testing::Test {
protected:
    /// As a process that waits for the others `count` times, in collectives that all have entered.
    void write(long count) const {
        for (long k = 0; k < count; ++k)
            detail::sendNotes({apg().record(), static_cast<std::uint64_t>(1 + k % 200), 7, "sum",
                               detail::Where::here()});
    }

    Procs1 p;
    Array<double, Dist> a = create<double>(p, p.dim(0));
};

/// Process 0 waits often for processes that never wait themselves, so that they receive nothing;
/// then for processes that receive all the time.
TEST_F(Notes, StayFew) {
    for (int k = 0; k < 300; ++k) Adlib::sum(a);
    write(1000);  // MPI's own buffers
    const long before = memoryInUse();
    if (p.rank() == 0) write(notes);
    MPI_Barrier(comm(p));
    EXPECT_LT(memoryInUse() - before, little);
    MPI_Request barrier;
    if (p.rank() == 0) write(notes / 10);
    MPI_Ibarrier(comm(p), &barrier);
    for (int done = 0; !done;) {
        EXPECT_EQ(detail::judgeNotes(false), "");
        MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    }
    EXPECT_LT(memoryInUse() - before, little);
    EXPECT_EQ(Adlib::sum(a), 0);
}

}  // namespace
}  // namespace hpspmd::test
