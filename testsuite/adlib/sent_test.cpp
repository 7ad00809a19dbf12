// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the prices of operations say that they send, against what the processes of this job do
/// send. Shared memory is off (HPSPMD_NODE_MEMORY), so that all messages go by MPI, and are counted
/// here.

#include <gtest/gtest.h>

#include <adlib/indirect_cost.hpp>
#include <functional>
#include <hpspmd/mpi.hpp>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <optional>

namespace {

double messages = 0, bytes = 0;

}  // namespace

/// In place of MPI's own.
extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
    if (comm == hpspmd::detail::libraryComm()) {
        ++messages;
        bytes += count;
    }
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace hpspmd::test {
namespace {

using Action = std::function<void()>;

Adlib::Spread spreadOf(double value) {
    Adlib::Spread spread;
    MPI_Allreduce(&value, &spread.min, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&value, &spread.max, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&value, &spread.mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    spread.mean /= apg().size();
    return spread;
}

void expectEqual(const Adlib::Spread& sent, const Adlib::Spread& priced) {
    EXPECT_EQ(sent.min, priced.min);
    EXPECT_NEAR(sent.mean, priced.mean, 1e-12 * priced.mean);
    EXPECT_EQ(sent.max, priced.max);
}

void expectSent(const Adlib::Spread& pricedMessages, const Adlib::Spread& pricedBytes,
                const Action& action) {
    messages = bytes = 0;
    action();
    const double sent[] = {messages, bytes};
    expectEqual(spreadOf(sent[0]), pricedMessages);
    expectEqual(spreadOf(sent[1]), pricedBytes);
}

/// Twice the same: nothing but the execution is counted.
void expectExecution(const Adlib::Cost& cost, const Action& execute) {
    for (int round = 0; round < 2; ++round) expectSent(cost.messages, cost.bytes, execute);
}

/// What make() sends, and then each execution of the schedule that it returns.
template <class Make>
void expectSchedule(const Adlib::Cost& cost, const Make& make) {
    std::optional<decltype(make())> schedule;
    expectSent(cost.inspectorMessages, cost.inspectorBytes, [&] { schedule.emplace(make()); });
    expectExecution(cost, [&] { schedule->execute(); });
}

TEST(Sent, ByHaloShiftAndRemap) {
    const Procs2 p;
    const ExtBlockRange x(37, p.dim(0), 2, 1), y(29, p.dim(1), 1, 1);
    const auto a = create<double>(p, x, y), b = create<double>(p, x, y);
    expectSchedule(Adlib::writeHaloCost(p, {x, y}, 8), [&] { return Adlib::WriteHalo(a); });
    expectSchedule(Adlib::shiftCost(p, {x, y}, 8, {9, 0, true}),
                   [&] { return Adlib::Cshift(b, a, 9, 0); });
    const CyclicRange u(37, p.dim(0)), v(29, p.dim(1));
    const auto c = create<double>(p, u, v);
    expectSchedule(Adlib::remapCost(p, {u, v}, {x, y}, 8), [&] { return Adlib::Remap(c, a); });
}

/// Irregular, and not everywhere from all processes.
Index scattered(const std::vector<Index>& at, Index extent) {
    Index value = 17;
    for (const Index k : at) value = value * 31 + k * k;
    return value % extent;
}

/// Arrays over a grid, one walked and one indexed, with subscripts of their own.
struct Arrays {
    Procs2 p;
    BlockRange x{24, p.dim(0)};
    CyclicRange u{15, p.dim(0)}, v{11, p.dim(1)};
    Array<double, Dist> walked = create<double>(p, x);  // replicated over the other dimension
    Array<double, Dist, Dist> indexed = create<double>(p, u, v);
    Array<int, Dist> s0 = create<int>(p, x), s1 = create<int>(p, x);
    Adlib::IndirectAccess access{p, {x}, {u, v}, [this](const std::vector<Index>& at, int r) {
                                     return r == 0 ? scattered(at, u.size())
                                                   : scattered({at[0] / 4}, v.size());
                                 }};

    Arrays() {
        const detail::On on(p);
        for (auto i : overall(x)) {
            const std::vector<Index> at{i.global};
            s0(i) = static_cast<int>(access.subscript(at, 0));
            s1(i) = static_cast<int>(access.subscript(at, 1));
        }
    }
};

TEST(Sent, ByGatherAndScatter) {
    const Arrays a;
    expectSchedule(Adlib::gatherCost(a.access, 8),
                   [&] { return Adlib::Gather(a.walked, a.indexed, a.s0, a.s1); });
    expectSchedule(Adlib::scatterCost(a.access, 8),
                   [&] { return Adlib::Scatter(a.indexed, a.walked, a.s0, a.s1); });
}

/// What each process asks for between two fences.
std::vector<Adlib::RemoteAccess> accessesOf(int process) {
    std::vector<Adlib::RemoteAccess> list{
        {Adlib::Access::Get, {Triplet(process % 5, 20, 3), Triplet(2, 9)}}};
    if (process % 3 == 1) list.push_back({Adlib::Access::Put, {Triplet(), Triplet(4, 4)}});
    if (process % 2 == 0)
        list.push_back({Adlib::Access::Accumulate, {Triplet(7, 1, -2), Triplet(0, process)}});
    if (process % 4 < 2) list.push_back({Adlib::Access::FetchAdd, {Triplet(3, 19, 2), Triplet()}});
    return list;
}

TEST(Sent, ByAFence) {
    const Procs2 p;
    const BlockRange x(24, p.dim(0)), y(16, p.dim(1));
    const auto a = create<double>(p, x, y);
    const Adlib::Cost cost = Adlib::fenceCost({p, {x, y}, accessesOf}, 8);
    for (int round = 0; round < 2; ++round) {
        expectSent({}, {}, [&] { Adlib::fence(a); });
        std::vector<Array<double, Seq, Seq>> locals;
        for (const Adlib::RemoteAccess& each : accessesOf(detail::ownRank())) {
            const auto part = section(a, each.section[0], each.section[1]);
            locals.push_back(create<double>(apg(), part.size(0), part.size(1)));
            if (each.access == Adlib::Access::Get) Adlib::get(locals.back(), part);
            if (each.access == Adlib::Access::Put) Adlib::put(part, locals.back());
            if (each.access == Adlib::Access::Accumulate) Adlib::accumulate(part, locals.back());
            if (each.access == Adlib::Access::FetchAdd) Adlib::fetchAdd(locals.back(), part, 1);
        }
        expectSent(cost.messages, cost.bytes, [&] { Adlib::fence(a); });
    }
}

/// Each process turns to others at equal distances, as a pattern says.
struct Turning {
    Procs1 p;
    Adlib::Pattern pattern{std::min(3, apg().size() - 1), 6};
    Index own = pattern.partners * pattern.elements;  // of each process

    /// The element for number n of a process: those of one partner are 0, 2, 4, ..
    Index target(int process, Index n) const {
        const Index k = n / pattern.elements + 1;
        const Index partner = (process + k * p.size() / (pattern.partners + 1)) % p.size();
        return partner * 100 + n % pattern.elements * 2;
    }
};

TEST(Sent, ByAPattern) {
    const Turning turning;
    if (turning.own == 0) return;
    const int size = turning.p.size();
    const BlockRange x(turning.own * size, turning.p.dim(0)), y(100 * size, turning.p.dim(0));
    const auto walked = create<float>(turning.p, x), indexed = create<float>(turning.p, y);
    const auto s = create<long>(turning.p, x);
    for (Index n = 0; n < turning.own; ++n) s.data()[n] = turning.target(detail::ownRank(), n);
    expectSchedule(Adlib::gatherCost(turning.pattern, 4),
                   [&] { return Adlib::Gather(walked, indexed, s); });
    expectSchedule(Adlib::scatterCost(turning.pattern, 4),
                   [&] { return Adlib::Scatter(indexed, walked, s); });
    using Adlib::Access;
    for (const Access kind : {Access::Get, Access::Put, Access::FetchAdd}) {
        const auto local = create<float>(apg(), turning.pattern.elements);
        Adlib::fence(indexed);
        for (Index n = 0; n < turning.own; n += turning.pattern.elements) {
            const Index first = turning.target(detail::ownRank(), n);
            const Triplet row(first, first + 2 * (turning.pattern.elements - 1), 2);
            const auto part = section(indexed, row);
            if (kind == Access::Get) Adlib::get(local, part);
            if (kind == Access::Put) Adlib::put(part, local);
            if (kind == Access::FetchAdd) Adlib::fetchAdd(local, part, local);
        }
        const Adlib::Cost cost = Adlib::fenceCost(turning.pattern, Adlib::RowAccess{kind}, 4);
        expectSent(cost.messages, cost.bytes, [&] { Adlib::fence(indexed); });
    }
}

}  // namespace
}  // namespace hpspmd::test
