/// Plans of all processes, computed and executed in one process, without MPI: every element of the
/// destination is written exactly once and with the right value, nothing else is touched, and what
/// p sends to q is what q receives from p. A failure names its seed; HPSPMD_SEED=n runs that case
/// alone.

#include <gtest/gtest.h>

#include <cstdlib>
#include <hpspmd/active.hpp>

#include "simulation.hpp"

namespace hpspmd::test {
namespace {

void runCase(std::uint64_t seed, int processes) {
    const MoveCase c = makeMoveCase(seed, processes);
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
    if (const char* seed = std::getenv("HPSPMD_SEED"))
        return runCase(std::strtoull(seed, nullptr, 10), processes);
    for (std::uint64_t seed = 1; seed <= 6000 && !HasFailure(); ++seed) runCase(seed, processes);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Plans, testing::Values(1, 2, 3, 4, 6, 7, 8, 12));

}  // namespace
}  // namespace hpspmd::test
