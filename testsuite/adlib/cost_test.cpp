/// Costs worked out from plans: against the plans of all processes where there are few, and within
/// the promised time and memory where there are a million.

#include <gtest/gtest.h>

#include <adlib/cost.hpp>
#include <chrono>
#include <hpspmd/active.hpp>
#include <hpspmd/procs.hpp>

#include "cost/survey.hpp"
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
            const detail::plan::Plan plan = assemble(operation, 500500);
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

}  // namespace
}  // namespace hpspmd::test
