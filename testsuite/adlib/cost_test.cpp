// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Costs worked out from plans: against the plans of all processes where there are few, and within
/// the promised time and memory where there are a million.

#include <gtest/gtest.h>

#include <adlib/indirect_cost.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <hpspmd/active.hpp>
#include <hpspmd/procs.hpp>

#include "cases.hpp"
#include "cost/delivery.hpp"
#include "cost/survey.hpp"
#include "generated.hpp"
#include "plan/announcements.hpp"
#include "plan/operations.hpp"

namespace hpspmd::test {
namespace {

using Adlib::Cost;
using Adlib::PretendedProcesses;

/// The plans of all processes, one by one.
Cost priceAll(const detail::plan::Operation& operation, std::size_t elementSize) {
    return detail::cost::survey(operation, false, elementSize, {});
}

void expectEqual(const Adlib::Spread& a, const Adlib::Spread& b) {
    EXPECT_EQ(a.min, b.min);
    EXPECT_NEAR(a.mean, b.mean, 1e-12 * b.mean);
    EXPECT_EQ(a.max, b.max);
}

void expectEqualCost(const Cost& classes, const Cost& all) {
    EXPECT_TRUE(classes.isExact);
    EXPECT_TRUE(all.isExact);
    EXPECT_LT(classes.planned, all.planned);
    expectEqual(classes.messages, all.messages);
    expectEqual(classes.bytes, all.bytes);
    expectEqual(classes.copied, all.copied);
    EXPECT_EQ(classes.planBytes, all.planBytes);
}

TEST(Costs, OfClassesAreThoseOfAllProcesses) {
    const PretendedProcesses processes(60);
    const Procs2 p(8, 6);  // 12 processes have nothing to do
    const ExtBlockRange x(75, p.dim(0), 2, 1), y(70, p.dim(1), 1, 1);
    const std::vector<Range> ranges{x, CollapsedRange(3), y};
    const detail::Layouts array(p, ranges);
    const detail::Descriptor layout = array.descriptor();
    expectEqualCost(
        Adlib::writeHaloCost(p, ranges, 8),
        priceAll(detail::plan::writeHalo(layout, {{2, 1, false}, {0, 0, false}, {1, 1, false}}),
                 8));
    expectEqualCost(Adlib::shiftCost(p, ranges, 4, {5, 0, false}),
                    priceAll(detail::plan::shift(layout, layout, 5, 0, false), 4));
    expectEqualCost(Adlib::shiftCost(p, ranges, 4, {-40, 2, true}),
                    priceAll(detail::plan::shift(layout, layout, -40, 2, true), 4));
    const std::vector<Range> column{BlockRange(75, p.dim(0))};  // replicated over the other axis
    const detail::Layouts copies(p, column);
    expectEqualCost(
        Adlib::shiftCost(p, column, 8, {1, 0, false}),
        priceAll(detail::plan::shift(copies.descriptor(), copies.descriptor(), 1, 0, false), 8));
}

/// Messages and bytes that a plan sends or gets, and elements that it copies.
struct Counted {
    double messages = 0, sent = 0, received = 0, copied = 0;

    void add(const detail::plan::Plan& plan) {
        for (const detail::plan::Message& message : plan.sends) {
            ++messages;
            sent += static_cast<double>(message.count());
        }
        for (const detail::plan::Message& message : plan.receives)
            received += static_cast<double>(message.count());
        for (const detail::plan::Copy& copy : plan.copies)
            copied += static_cast<double>(copy.count());
        for (const detail::plan::Plan& relay : plan.relays) add(relay);
    }
};

/// The cost of an operation against what the plans of all processes do, one by one.
void expectCounted(const Cost& cost, const detail::plan::Operation& operation, int processes,
                   double elementSize) {
    Adlib::Spread messages, bytes, copied;
    double received = 0;
    for (int process = 0; process < processes; ++process) {
        Counted counted;
        counted.add(planFor(operation, process));
        received += counted.received * elementSize;
        const auto include = [&](Adlib::Spread& spread, double value) {
            spread.min = process == 0 ? value : std::min(spread.min, value);
            spread.max = std::max(spread.max, value);
            spread.mean += value / processes;
        };
        include(messages, counted.messages);
        include(bytes, counted.sent * elementSize);
        include(copied, counted.copied * elementSize);
    }
    EXPECT_TRUE(cost.isExact);
    EXPECT_EQ(cost.processes, processes);
    expectEqual(cost.messages, messages);
    expectEqual(cost.bytes, bytes);
    expectEqual(cost.copied, copied);
    EXPECT_NEAR(cost.bytes.mean * processes, received, 1e-9 * received);
}

TEST(Costs, OfGeneratedCallsAreThoseOfCountedPlans) {
    Index cases = 0, talking = 0, fewer = 0;
    forCases(3000, [&](Random& random) {
        const int processes = static_cast<int>(random.between(1, 70));
        const PretendedProcesses pretended(processes);
        const Group grid = randomGrid(random, processes);
        const Indices shape = randomShape(random, static_cast<int>(random.between(1, 3)));
        const Index kind = random.below(4);
        const TestArray array = randomArray(random, grid, shape, kind == 0);
        const detail::Descriptor layout = array.layout();
        const auto size = static_cast<std::size_t>(random.between(1, 16));
        SCOPED_TRACE(std::to_string(processes) + " processes: " + describe(array));
        const auto check = [&](const Cost& cost, const detail::plan::Operation& operation) {
            expectCounted(cost, operation, processes, static_cast<double>(size));
            ++cases;
            talking += cost.messages.max > 0;
            fewer += cost.planned < processes;
        };
        if (kind == 0) {
            std::vector<detail::plan::HaloWidth> widths;
            for (const detail::Map& map : layout)
                widths.push_back({map.range.loExtension(), map.range.hiExtension(), false});
            return check(detail::haloCost(layout, size, {}),
                         detail::plan::writeHalo(layout, widths));
        }
        if (kind == 3) {
            const TestArray from = randomArray(random, grid, shape, false);
            SCOPED_TRACE("from " + describe(from));
            return check(detail::remapCost(layout, from.layout(), size, {}),
                         detail::plan::remap(layout, from.layout()));
        }
        const auto d = static_cast<int>(random.below(layout.rank));
        const Index extent = layout[d].range.size();
        const Index amount = random.between(-extent, extent);
        check(detail::shiftCost(layout, size, {amount, d, kind == 2}, {}),
              detail::plan::shift(layout, layout, amount, d, kind == 2));
    });
    if (std::getenv("HPSPMD_CASE") != nullptr) return;
    EXPECT_GE(talking, 500);
    EXPECT_GT(fewer, cases / 4);  // one process stands for several
    std::printf("%ld cases, %ld of them with messages, %ld from fewer plans\n",
                static_cast<long>(cases), static_cast<long>(talking), static_cast<long>(fewer));
}

/// Three processes take one element each, from themselves or from one another: the number of
/// partners and elements is the same, but only where the partner is another one there are messages.
TEST(Costs, WhoTakesFromItselfIsAClassOfItsOwn) {
    const PretendedProcesses processes(3);
    const Procs1 p;
    const detail::Layouts to(p, {BlockRange(3, p.dim(0))});
    const detail::Layouts from(p, {BlockRange(3, p.dim(0)).subrange(2, 0, -1)});  // backwards
    const auto remap = detail::plan::remap(to.descriptor(), from.descriptor());
    const Cost cost = detail::cost::survey(remap, true, 8, {});
    expectCounted(cost, remap, 3, 8);
    EXPECT_EQ(cost.planned, 2);
    EXPECT_EQ(cost.messages.min, 0);
    EXPECT_EQ(cost.messages.max, 1);
}

TEST(Costs, AHaloByHand) {
    const PretendedProcesses processes(9);
    const Procs2 p(3, 3);
    const ExtBlockRange x(30, p.dim(0), 1, 1), y(60, p.dim(1), 1, 1);
    const Cost cost = Adlib::writeHaloCost(p, {x, y}, 8);
    EXPECT_EQ(cost.messages.max, 8);  // four sides and four corners
    EXPECT_EQ(cost.messages.min, 3);
    EXPECT_DOUBLE_EQ(cost.messages.mean, (4 * 3 + 4 * 5 + 8) / 9.0);
    EXPECT_EQ(cost.bytes.max, 8.0 * (2 * 10 + 2 * 20 + 4));
    const double perMessage = Adlib::Machine().nodeLatency;  // all on one node
    EXPECT_NEAR(cost.seconds, 8 * perMessage + cost.bytes.max / Adlib::Machine().nodeBandwidth,
                1e-15);
}

TEST(Costs, ARemapIsSampled) {
    const PretendedProcesses processes(10000);
    const Procs1 p(10000);
    const Cost cost =
        Adlib::remapCost(p, {CyclicRange(20000, p.dim(0))}, {BlockRange(20000, p.dim(0))}, 8);
    EXPECT_FALSE(cost.isExact);
    EXPECT_EQ(cost.planned, 64);
    EXPECT_LE(cost.messages.max, 2);
}

/// Each process sends an element to each of 160,000 others.
TEST(Costs, WhoSendsToVeryManyStandsForMoreOthers) {
    const PretendedProcesses million(1000000);
    const Procs2 p(1000, 1000);
    const Range x = BlockRange(400000, p.dim(0)), y = BlockRange(400000, p.dim(1)),
                u = CyclicRange(400000, p.dim(0)), v = CyclicRange(400000, p.dim(1));
    const Cost cost = Adlib::remapCost(p, {u, v}, {x, y}, 8);
    EXPECT_EQ(cost.planned, 4);
    EXPECT_NEAR(cost.messages.mean, 160000, 1);
    EXPECT_NEAR(cost.bytes.mean, 8 * 160000, 8);
}

TEST(Costs, APlanForAMillionProcessesIsSmallAndQuick) {
    const PretendedProcesses million(1000000);
    const Procs2 p(1000, 1000);
    const ExtBlockRange x(100000, p.dim(0), 1, 1), y(100000, p.dim(1), 1, 1);
    const detail::Layouts array(p, {x, y});
    const detail::Descriptor layout = array.descriptor();
    using Clock = std::chrono::steady_clock;
    std::vector<detail::plan::Operation> operations;
    operations.push_back(detail::plan::writeHalo(layout, {{1, 1, false}, {1, 1, false}}));
    operations.push_back(detail::plan::shift(layout, layout, 7, 0, true));
    for (const detail::plan::Operation& operation : operations) {
        double fastest = 1;
        for (int round = 0; round < 20; ++round) {
            const Clock::time_point start = Clock::now();
            const detail::plan::Plan plan = planFor(operation, 500500);
            fastest =
                std::min(fastest, std::chrono::duration<double>(Clock::now() - start).count());
            EXPECT_LT(detail::cost::memoryOf(plan), 10000);
            EXPECT_FALSE(plan.sends.empty());
        }
        EXPECT_LT(fastest, 1e-3);
    }
    const Cost cost = Adlib::writeHaloCost(p, {x, y}, 8);
    EXPECT_EQ(cost.processes, 1000000);
    EXPECT_EQ(cost.planned, 9);
    EXPECT_EQ(cost.messages.max, 8);
    EXPECT_LT(cost.descriptorBytes, 10000);
}

/// What members send in all rounds of announcements, as transport::deliver passes them on.
std::vector<detail::cost::Work> announced(const std::vector<detail::cost::Post>& posts) {
    using namespace detail::plan;
    const int size = static_cast<int>(posts.size());
    std::vector<std::vector<Announcement>> held(posts.size());
    for (int from = 0; from < size; ++from)
        for (const auto& [to, bytes] : posts[static_cast<std::size_t>(from)].out)
            held[static_cast<std::size_t>(from)].push_back({from, to, 8});
    std::vector<detail::cost::Work> work(posts.size());
    for (int step = 1; step < size; step *= 2) {
        std::vector<std::vector<Announcement>> next(held.size());
        for (int rank = 0; rank < size; ++rank) {
            auto& rest = held[static_cast<std::size_t>(rank)];
            const auto passed = takePassedOn(rest, rank, size, step);
            const auto behind = static_cast<double>(bytesBehind(passed.size()));
            work[static_cast<std::size_t>(rank)] +=
                {behind > 0 ? 2.0 : 1.0, sizeof(Packet) + behind, 0, 0};
            next[static_cast<std::size_t>((rank + step) % size)] = passed;
        }
        for (std::size_t rank = 0; rank < held.size(); ++rank)
            held[rank].insert(held[rank].end(), next[rank].begin(), next[rank].end());
    }
    return work;
}

TEST(Costs, OfAnnouncementsAreThoseOfTheirRounds) {
    std::srand(3);
    double most = 0;
    for (const int size : {5, 8, 13, 32, 40}) {
        const PretendedProcesses processes(size);
        std::vector<std::map<int, double>> out(static_cast<std::size_t>(size));
        for (auto& letters : out)
            for (int to = 0; to < size; ++to)
                if (std::rand() % 2 == 0) letters[to] = 100;
        const std::vector<detail::cost::Post> posts = detail::cost::posts(out);
        const std::vector<detail::cost::Work> rounds = announced(posts);
        const detail::cost::Delivery delivery(posts);
        for (int process = 0; process < size; ++process) {
            const auto p = static_cast<std::size_t>(process);
            detail::cost::Work expected = rounds[p];
            expected += detail::cost::exchangeWork(posts[p], process, {});
            EXPECT_EQ(delivery.work(process, {}).messages, expected.messages);
            EXPECT_EQ(delivery.work(process, {}).sent, expected.sent);
            most = std::max(most, rounds[p].messages);
        }
    }
    EXPECT_GT(most, 6);  // some did not fit into the packets of the six rounds of 40
}

/// The element at twice the distance of x, round the array.
Adlib::IndirectAccess doubled(const Procs1& p, Index n) {
    return {p,
            {BlockRange(n, p.dim(0))},
            {BlockRange(n, p.dim(0))},
            [n](const std::vector<Index>& x, int) { return 2 * x[0] % n; }};
}

TEST(Costs, AGatherByHand) {
    const PretendedProcesses processes(4);
    const Procs1 p(4);
    const Cost cost = Adlib::gatherCost(doubled(p, 16), 8);  // 0 wants 0 2 | 4 6, 1: 8 10 | 12 14
    EXPECT_TRUE(cost.isExact);
    EXPECT_EQ(cost.messages.mean, 1.5);  // 0 to 2; 1 to 0 and 2; 2 to 1 and 3; 3 to 1
    EXPECT_EQ(cost.messages.max, 2);
    EXPECT_EQ(cost.bytes.min, 16);
    EXPECT_EQ(cost.copied.max, 16);
    EXPECT_EQ(cost.inspectorMessages.max, 2 + 3);  // log2 P, and an envelope to each other one
    EXPECT_EQ(cost.inspectorBytes.max, 2 * 32 + 3 * 96);
    EXPECT_GT(cost.planBytes, 0);
    EXPECT_GT(cost.descriptorBytes, 0);
    EXPECT_THROW(Adlib::gatherCost({p,
                                    {BlockRange(3, p.dim(0))},
                                    {BlockRange(3, p.dim(0))},
                                    [](const auto& x, int) { return x[0] + 1; }},
                                   8),
                 std::invalid_argument);
}

TEST(Costs, PatternsOfAMillionProcesses) {
    const PretendedProcesses million(1000000);
    const Cost gather = Adlib::gatherCost({8, 1000}, 8);
    EXPECT_EQ(gather.messages.min, 8);
    EXPECT_EQ(gather.bytes.max, 64000);
    EXPECT_EQ(gather.inspectorMessages.max, 20 + 20 + 8);
    const Cost fence = Adlib::fenceCost({8, 1000}, {Adlib::Access::Get}, 8);
    EXPECT_EQ(fence.messages.max, 20 + 8 + 8);
    EXPECT_EQ(fence.bytes.max, 20 * 120 + 8 * 48 + 64000);
    EXPECT_EQ(fence.inspectorMessages.max, 0);
    EXPECT_THROW(Adlib::scatterCost({1000000, 1}, 8), std::invalid_argument);
    EXPECT_THROW(Adlib::scatterCost({1, 0}, 8), std::invalid_argument);
}

}  // namespace
}  // namespace hpspmd::test
