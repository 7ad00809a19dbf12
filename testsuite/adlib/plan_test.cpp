/// Plans of all processes, computed and executed in one process, without MPI: every element of the
/// destination is written exactly once and with the right value, nothing else is touched, and what
/// p sends to q is what q receives from p.

#include <gtest/gtest.h>

#include <hpspmd/active.hpp>
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

INSTANTIATE_TEST_SUITE_P(Worlds, Plans, testing::Values(1, 2, 3, 4, 6, 7, 8, 12, 24));

}  // namespace
}  // namespace hpspmd::test
