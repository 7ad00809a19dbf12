// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gather and scatter of all processes in one process, without MPI: their requests, exchanged here,
/// and the plans made of them.

#include <gtest/gtest.h>

#include <hpspmd/active.hpp>

#include "cases.hpp"
#include "indirect_case.hpp"
#include "simulation.hpp"

namespace hpspmd::test {
namespace {

using detail::plan::Access;
using detail::plan::Arrival;
using detail::plan::Plan;
using detail::plan::Request;

/// The requests of all processes.
std::vector<Request> requestsOf(const IndirectCase& c, int processes) {
    std::vector<Request> requests;
    for (int q = 0; q < processes; ++q) {
        detail::plan::Subscripts subscripts;
        std::vector<Memory> memories;
        const std::vector<char> mask = c.maskOn(q);
        for (int r = 0; r < c.indexed.rank(); ++r) {
            subscripts.layouts.push_back(c.subscripts.layout());
            memories.push_back(c.subscriptsOn(q, r));
        }
        const auto slot = [&](Index offset) {
            return static_cast<std::size_t>(c.subscripts.offset + offset);
        };
        subscripts.at = [&](int r, Index offset) {
            return memories[static_cast<std::size_t>(r)].at(slot(offset));
        };
        if (c.isMasked) subscripts.mask = c.subscripts.layout();
        subscripts.isTaken = [&](Index offset) { return mask.at(slot(offset)) != 0; };
        const auto request =
            c.isGather() ? detail::plan::gatherRequest : detail::plan::scatterRequest;
        requests.push_back(request(c.to().layout(), c.from().layout(), subscripts, q));
        EXPECT_FALSE(requests.back().bad);
    }
    return requests;
}

/// What each process hears from the others, made by item(access).
template <class Item, class MakeItem>
std::vector<std::map<int, std::vector<Item>>> delivered(const std::vector<Request>& requests,
                                                        const MakeItem& item) {
    std::vector<std::map<int, std::vector<Item>>> heard(requests.size());
    for (std::size_t q = 0; q < requests.size(); ++q)
        for (const auto& [peer, list] : requests[q].accesses)
            for (const Access& access : list)
                heard[static_cast<std::size_t>(peer)][static_cast<int>(q)].push_back(item(access));
    return heard;
}

SimulatedArray sources(const IndirectCase& c, int processes) {
    SimulatedArray from{{}, c.from().offset};
    for (int q = 0; q < processes; ++q) from.memories.push_back(c.source(q));
    return from;
}

void checkGather(const IndirectCase& c, int processes) {
    const std::vector<Request> requests = requestsOf(c, processes);
    const auto heard =
        delivered<Index>(requests, [](const Access& access) { return access.theirs; });
    std::vector<Plan> plans;
    SimulatedArray to{{}, c.to().offset};
    for (int q = 0; q < processes; ++q) {
        const auto own = static_cast<std::size_t>(q);
        plans.push_back(detail::plan::gatherPlan(q, requests[own].accesses, heard[own]));
        to.memories.push_back(c.destination(q));
    }
    Simulation simulation(std::move(plans), sources(c, processes), std::move(to));
    simulation.run();
    simulation.expectSingleWrites();
    for (int q = 0; q < processes; ++q)
        ASSERT_EQ(simulation.to().memories[static_cast<std::size_t>(q)], c.expected(q))
            << "on process " << q << "\n"
            << simulation.plan(q);
}

void checkScatter(const IndirectCase& c, int processes) {
    const std::vector<Request> requests = requestsOf(c, processes);
    const auto heard = delivered<Arrival>(requests, [](const Access& access) {
        return Arrival{access.theirs, access.order};
    });
    std::vector<Plan> plans;
    std::vector<detail::plan::ScatterPlan> scatters;
    SimulatedArray staging;
    for (int q = 0; q < processes; ++q) {
        const auto own = static_cast<std::size_t>(q);
        scatters.push_back(detail::plan::scatterPlan(q, requests[own].accesses, heard[own]));
        plans.push_back(scatters.back().plan);
        staging.memories.emplace_back(static_cast<std::size_t>(scatters.back().staged), poison);
    }
    Simulation simulation(std::move(plans), sources(c, processes), std::move(staging));
    simulation.run();
    simulation.expectSingleWrites();
    for (int q = 0; q < processes; ++q) {
        Memory memory = c.destination(q);
        for (const auto& store : scatters[static_cast<std::size_t>(q)].stores) {
            std::int64_t& element = memory.at(static_cast<std::size_t>(c.to().offset + store.to));
            const std::int64_t value = simulation.to().at(q, store.from);
            element = c.kind == IndirectCase::Combine ? c.combine(element, value) : value;
        }
        ASSERT_EQ(memory, c.expected(q)) << "on process " << q;
    }
}

void runCase(Random& random, int processes) {
    const IndirectCase c = makeIndirectCase(random, processes);
    SCOPED_TRACE(c.text);
    if (c.isGather())
        checkGather(c, processes);
    else
        checkScatter(c, processes);
}

class IndirectPlans : public testing::TestWithParam<int> {};

TEST_P(IndirectPlans, DoWhatASequentialLoopDoes) {
    const int processes = GetParam();
    const detail::World world(processes, 0);
    const detail::Activate active(world.group());
    forCases(600, [&](Random& random) { runCase(random, processes); });
}

INSTANTIATE_TEST_SUITE_P(Worlds, IndirectPlans, testing::Values(1, 2, 3, 4, 6, 7, 8, 12));

}  // namespace
}  // namespace hpspmd::test
