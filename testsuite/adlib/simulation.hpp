// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Plans of all processes, executed in one process on simulated memories. What p sends to q must be
/// what q receives from p.

#include <gtest/gtest.h>

#include <map>

#include "move_case.hpp"
#include "plan/plan.hpp"

namespace hpspmd::test {

/// The memories of one array on all processes; data() is slot `offset`.
struct SimulatedArray {
    std::vector<Memory> memories;
    Index offset = 0;

    std::int64_t& at(int process, Index position) {
        return memories[static_cast<std::size_t>(process)].at(
            static_cast<std::size_t>(offset + position));
    }
};

class Simulation {
public:
    Simulation(std::vector<detail::plan::Plan> plans, SimulatedArray from, SimulatedArray to)
        : plans_(std::move(plans)), from_(std::move(from)), to_(std::move(to)) {
        for (const Memory& memory : to_.memories) writes_.emplace_back(memory.size(), 0);
    }

    void run() {
        runOnce();
        for (std::size_t level = 0; relay(level); ++level) {
        }
    }

    const detail::plan::Plan& plan(int process) const {
        return plans_[static_cast<std::size_t>(process)];
    }
    SimulatedArray& to() { return to_; }

    /// No slot was written twice.
    void expectSingleWrites() const {
        for (std::size_t q = 0; q < writes_.size(); ++q)
            for (std::size_t slot = 0; slot < writes_[q].size(); ++slot)
                ASSERT_LE(writes_[q][slot], 1) << "slot " << slot << " of process " << q;
    }

private:
    using Message = detail::plan::Message;
    using Region = detail::plan::Region;

    /// Carries out those plans of all processes that come after this one, within the destination;
    /// false if there are none.
    bool relay(std::size_t level) {
        std::vector<detail::plan::Plan> relays;
        bool isAny = false;
        for (const detail::plan::Plan& plan : plans_) {
            isAny |= level < plan.relays.size();
            relays.push_back(level < plan.relays.size() ? plan.relays[level]
                                                        : detail::plan::Plan{});
        }
        if (!isAny) return false;
        Simulation next(std::move(relays), to_, to_);
        next.writes_ = std::move(writes_);
        next.runOnce();
        to_ = std::move(next.to_);
        writes_ = std::move(next.writes_);
        return true;
    }

    void runOnce() {
        for (std::size_t p = 0; p < plans_.size(); ++p) {
            for (const Message& message : plans_[p].sends) send(static_cast<int>(p), message);
            for (const auto& copy : plans_[p].copies) copyWithin(static_cast<int>(p), copy);
        }
        for (std::size_t q = 0; q < plans_.size(); ++q)
            for (const Message& message : plans_[q].receives) receive(static_cast<int>(q), message);
        EXPECT_TRUE(channels_.empty()) << "a message was sent and not received";
    }

    void send(int p, const Message& message) {
        ASSERT_NE(message.peer, p);
        auto& channel = channels_[{p, message.peer}];
        EXPECT_TRUE(channel.empty()) << "two messages to one process";
        for (const Region& region : message.regions)
            forEachOffset(region, [&](Index offset) { channel.push_back(from_.at(p, offset)); });
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
        SimulatedArray source = from_;
        detail::plan::forEachRow(copy, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t)
                write(p, start[0] + t * step[0], source.at(p, start[1] + t * step[1]));
        });
    }

    void write(int q, Index offset, std::int64_t value) {
        to_.at(q, offset) = value;
        ++writes_[static_cast<std::size_t>(q)][static_cast<std::size_t>(to_.offset + offset)];
    }

    template <class F>
    static void forEachOffset(const Region& region, const F& f) {
        detail::plan::forEachRow(region, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t) f(start[0] + t * step[0]);
        });
    }

    std::vector<detail::plan::Plan> plans_;
    SimulatedArray from_, to_;
    std::vector<std::vector<int>> writes_;
    std::map<std::pair<int, int>, std::vector<std::int64_t>> channels_;
};

}  // namespace hpspmd::test
