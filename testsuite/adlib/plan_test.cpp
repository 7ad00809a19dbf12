/// Plans of all processes, computed and executed in one process, without MPI: every element of the
/// destination is written exactly once and with the right value, nothing else is touched, and what
/// p sends to q is what q receives from p. A failure names its seed; HPSPMD_SEED=n runs that case
/// alone.

#include <gtest/gtest.h>

#include <cstdlib>
#include <hpspmd/active.hpp>
#include <map>

#include "move_case.hpp"
#include "plan/plan.hpp"

namespace hpspmd::test {
namespace {

using detail::plan::Message;
using detail::plan::Plan;
using detail::plan::Region;

/// Executes the plans of all processes on simulated memories.
class Simulation {
public:
    Simulation(const MoveCase& c, int processes) : case_(c) {
        for (int q = 0; q < processes; ++q) {
            plans_.push_back(c.plan(q));
            from_.push_back(c.source(q));
            to_.push_back(c.destination(q));
            writes_.emplace_back(to_.back().size(), 0);
        }
    }

    void run() {
        for (std::size_t p = 0; p < plans_.size(); ++p) {
            for (const Message& message : plans_[p].sends) send(static_cast<int>(p), message);
            for (const auto& copy : plans_[p].copies) copyWithin(static_cast<int>(p), copy);
        }
        for (std::size_t q = 0; q < plans_.size(); ++q)
            for (const Message& message : plans_[q].receives) receive(static_cast<int>(q), message);
        EXPECT_TRUE(channels_.empty()) << "a message was sent and not received";
    }

    void check() const {
        for (std::size_t q = 0; q < plans_.size(); ++q) {
            const Memory before = case_.destination(static_cast<int>(q));
            const Memory expected = case_.expected(static_cast<int>(q));
            ASSERT_EQ(to_[q], expected) << "on process " << q << "\n" << plans_[q];
            for (std::size_t slot = 0; slot < expected.size(); ++slot)
                ASSERT_LE(writes_[q][slot], 1) << "slot " << slot << " of process " << q;
        }
    }

private:
    void send(int p, const Message& message) {
        ASSERT_NE(message.peer, p);
        auto& channel = channels_[{p, message.peer}];
        EXPECT_TRUE(channel.empty()) << "two messages to one process";
        for (const Region& region : message.regions)
            forEachOffset(region, [&](Index offset) {
                channel.push_back(from_[p].at(case_.from.offset + offset));
            });
        EXPECT_EQ(static_cast<Index>(channel.size()), message.count());
    }

    void receive(int q, const Message& message) {
        const auto found = channels_.find({message.peer, q});
        ASSERT_NE(found, channels_.end()) << q << " waits for " << message.peer;
        std::size_t next = 0;
        for (const Region& region : message.regions)
            forEachOffset(region, [&](Index offset) {
                write(q, offset, next < found->second.size() ? found->second[next] : 0);
                ++next;
            });
        EXPECT_EQ(next, found->second.size()) << "from " << message.peer << " to " << q;
        channels_.erase(found);
    }

    void copyWithin(int p, const detail::plan::Copy& copy) {
        const Memory source = from_[p];
        detail::plan::forEachRow(copy, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t)
                write(p, start[0] + t * step[0],
                      source.at(case_.from.offset + start[1] + t * step[1]));
        });
    }

    void write(int q, Index offset, std::int64_t value) {
        const auto slot = static_cast<std::size_t>(case_.to.offset + offset);
        to_[q].at(slot) = value;
        ++writes_[q].at(slot);
    }

    template <class F>
    static void forEachOffset(const Region& region, const F& f) {
        detail::plan::forEachRow(region, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t) f(start[0] + t * step[0]);
        });
    }

    const MoveCase& case_;
    std::vector<Plan> plans_;
    std::vector<Memory> from_, to_;
    std::vector<std::vector<int>> writes_;
    std::map<std::pair<int, int>, std::vector<std::int64_t>> channels_;
};

void runCase(std::uint64_t seed, int processes) {
    const MoveCase c = makeMoveCase(seed, processes);
    SCOPED_TRACE(c.text);
    Simulation simulation(c, processes);
    simulation.run();
    simulation.check();
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
