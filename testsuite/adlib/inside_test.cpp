// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Inside a node nothing goes by MPI's messages, which wake nobody: they are counted here. Short
/// and long ones of each operation, and what lies in memory that the others cannot see.

#include <gtest/gtest.h>

#include <functional>
#include <hpspmd/mpi.hpp>
#include <hpspmd>
#include <vector>

#include "transport/letters.hpp"

namespace {

int messages = 0;

int counted(MPI_Comm comm) { return messages += comm == hpspmd::detail::libraryComm(); }

}  // namespace

/// In place of MPI's own.
extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
    counted(comm);
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace hpspmd::test {
namespace {

void expectNone(const char* name, const std::function<void()>& operation) {
    messages = 0;
    operation();
    EXPECT_EQ(messages, 0) << name;
}

/// Rows of so many elements in each process, and the same columns.
void moveAll(Index own, Index columns) {
    const Procs1 p;
    const ExtBlockRange x(own * p.size(), p.dim(0), 1, 1);
    const BlockRange y(columns * p.size(), p.dim(0));
    const auto a = create<double>(p, x, y.size()), b = create<double>(p, x, y.size());
    const auto c = create<double>(p, x.size(), y);
    const auto d = create<double>(p, y, x.size());
    const CyclicRange u(own * p.size(), p.dim(0));
    const auto e = create<double>(p, u, y.size());
    expectNone("writeHalo", [&] { Adlib::writeHalo(a); });
    expectNone("writeHalos", [&] { Adlib::WriteHalos(a, b).execute(); });
    expectNone("remap, all with all", [&] { Adlib::remap(c, a); });
    expectNone("remap, cyclic", [&] { Adlib::remap(e, a); });
    expectNone("transpose", [&] { Adlib::transpose(d, a, {1, 0}); });
    expectNone("shift", [&] { Adlib::shift(b, a, own / 2, 0); });
    expectNone("cshift", [&] { Adlib::cshift(b, a, own, 0); });
    expectNone("sum", [&] { Adlib::sum(a); });
    const auto totals = create<double>(p, y.size());
    expectNone("sumDim", [&] { Adlib::sumDim(totals, a, 0); });
    const auto line = create<double>(p, x), far = create<double>(p, x);
    const auto s = create<long>(p, x);
    for (Index k = 0; k < x.localBlock().count; ++k)
        s.data()[x.localBlock().localBase + k] = (own * 7 + 3 * k * k) % x.size();
    expectNone("gather", [&] { Adlib::gather(line, far, s); });
    expectNone("scatter", [&] { Adlib::scatter(line, far, s); });
    expectNone("fence", [&] {
        const auto local = create<double>(apg(), x.size());
        Adlib::fence(line);
        Adlib::get(local, line);
        Adlib::fence(line);
    });
}

TEST(Inside, ShortMessagesByMemory) { moveAll(8, 8); }
TEST(Inside, LongMessagesByMemory) { moveAll(1000, 1000 / apg().size()); }
TEST(Inside, LongRowsByMemory) { moveAll(2, 100'000); }
TEST(Inside, ManyRequestsByMemory) { moveAll(500'000, 1); }

/// From the heap, which nobody else sees; longer than what is kept for messages.
TEST(Inside, LettersByMemory) {
    const Group g = apg();
    for (const std::size_t bytes : {std::size_t{10}, std::size_t{100'000}, std::size_t{5'000'000}})
        for (int round = 0; round < 3; ++round)
            expectNone("letters", [&] {
                const detail::Entered entered = detail::enter("letters", g, bytes, {});
                detail::transport::Letters letters;
                for (int k = 0; k < g.size(); ++k)
                    letters[detail::member(g, k)].assign(bytes, static_cast<char>(k + round));
                const auto come = detail::transport::deliver(entered, g, letters);
                EXPECT_EQ(come.size(), static_cast<std::size_t>(g.size()));
                const std::vector<char> wanted(bytes, static_cast<char>(g.rank() + round));
                for (const auto& [from, letter] : come) EXPECT_TRUE(letter == wanted) << from;
            });
}

}  // namespace
}  // namespace hpspmd::test
