// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plans of all processes, computed and executed in one process, without MPI: every element of the
/// destination is written exactly once and with the right value, nothing else is touched, and what
/// p sends to q is what q receives from p.

#include <gtest/gtest.h>

#include <hpspmd/active.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/ranges.hpp>
#include <sstream>

#include "cases.hpp"
#include "simulation.hpp"

namespace hpspmd::test {
namespace {

void runCase(Random& random, int processes) {
    const MoveCase c = makeMoveCase(random, processes);
    SCOPED_TRACE(c.text);
    std::vector<detail::plan::Plan> plans;
    SimulatedArray from{{}, c.from.offset}, to{{}, c.to.offset};
    for (int q = 0; q < processes; ++q) {
        plans.push_back(c.plan(q));
        from.memories.push_back(c.source(q));
        to.memories.push_back(c.destination(q));
    }
    Simulation simulation(std::move(plans), std::move(from), std::move(to));
    simulation.run();
    for (int q = 0; q < processes; ++q)
        ASSERT_EQ(simulation.to().memories[static_cast<std::size_t>(q)], c.expected(q))
            << "on process " << q << "\n"
            << simulation.plan(q);
    simulation.expectSingleWrites();
}

class Plans : public testing::TestWithParam<int> {};

TEST_P(Plans, WriteEachElementOnceFromMatchingMessages) {
    const int processes = GetParam();
    const detail::World world(processes, 0);
    const detail::Activate active(world.group());
    forCases(6000, [&](Random& random) { runCase(random, processes); });
}

TEST_P(Plans, AreTheSameWhicheverProcessMakesThem) {
    const int processes = GetParam();
    std::vector<std::string> texts;
    for (int q = 0; q < processes; ++q) {
        const detail::World world(processes, q);
        const detail::Activate active(world.group());
        std::ostringstream text;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            Random random(seed);
            const MoveCase c = makeMoveCase(random, processes);
            for (int p = 0; p < processes; ++p) text << c.plan(p);
        }
        texts.push_back(text.str());
    }
    EXPECT_EQ(texts, std::vector<std::string>(static_cast<std::size_t>(processes), texts[0]));
}

/// All sends of a process, those of the relays included.
std::size_t sendsOf(const detail::plan::Plan& plan) {
    std::size_t count = plan.sends.size();
    for (const detail::plan::Plan& relay : plan.relays) count += relay.sends.size();
    return count;
}

TEST(Relays, ReachManyCopiesOfOneElementByATree) {
    const detail::World world(1000, 0);
    const detail::Activate active(world.group());
    const Procs1 p(1000);
    const detail::Map collapsed{CollapsedRange(3), 1}, block{BlockRange(3000, p.dim(0)), 1};
    const detail::Map part{block.range.subrange(1500, 1502), 1};
    const detail::Descriptor everywhere{p, &collapsed, 1}, one{p, &part, 1}, all{p, &block, 1};
    std::size_t sent = 0;
    for (int q = 0; q < 1000; ++q) {
        const auto plan = detail::plan::planFor(detail::plan::remap(everywhere, one), q);
        EXPECT_LE(sendsOf(plan), 10u);
        EXPECT_EQ(plan.relays.size(), 10u);
        sent += sendsOf(plan);
    }
    EXPECT_GE(sent, 999u);
    EXPECT_LE(sent, 1001u);
    const detail::Map whole{CollapsedRange(3000), 1};  // from all to all: directly
    const auto direct = detail::plan::planFor(detail::plan::remap({p, &whole, 1}, all), 7);
    EXPECT_EQ(direct.sends.size(), 999u);
    EXPECT_TRUE(direct.relays.empty());
}

/// How many of the messages that the process gets may be read in the source.
std::size_t readableOnes(const detail::plan::Operation& operation, int process) {
    std::size_t count = 0;
    for (const detail::plan::Message& message : planFor(operation, process).receives)
        count += message.isReadable();
    return count;
}

// A message of this transpose is 1/32 of its source, too little for any other operation.
TEST(LongMessages, OfARedistributionAreReadHoweverSmallAPartOfTheSource) {
    const detail::World world(32, 0);
    const detail::Activate active(world.group());
    constexpr Index n = 4000;
    const Procs1 p(32);
    const Range block = BlockRange(n, p.dim(0)), cyclic = CyclicRange(n, p.dim(0));
    const Range whole = CollapsedRange(n);
    const detail::Map rowMaps[] = {{block, n}, {whole, 1}}, otherRows[] = {{block, n}, {whole, 1}};
    const detail::Map columnMaps[] = {{whole, n / 32}, {block, 1}};
    const detail::Map cyclicMaps[] = {{whole, n / 32}, {cyclic, 1}};
    const detail::Descriptor rows{p, rowMaps, 2}, others{p, otherRows, 2};
    const detail::Descriptor columns{p, columnMaps, 2}, cyclicColumns{p, cyclicMaps, 2};
    namespace plan = detail::plan;
    EXPECT_EQ(readableOnes(plan::transpose(others, rows, {1, 0}), 7), 31u);
    EXPECT_EQ(readableOnes(plan::remap(columns, rows), 7), 31u);
    EXPECT_EQ(readableOnes(plan::remap(cyclicColumns, rows), 7), 0u);  // no two elements together
    EXPECT_EQ(readableOnes(plan::shift(others, rows, 1, 0, false), 7), 0u);  // one row is short
}

INSTANTIATE_TEST_SUITE_P(Worlds, Plans, testing::Values(1, 2, 3, 4, 6, 7, 8, 12, 24));

}  // namespace
}  // namespace hpspmd::test
