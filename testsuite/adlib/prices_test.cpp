// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the prices of a machine make of a plan: messages, lines of the cache, columns.

#include <gtest/gtest.h>

#include <adlib/cost.hpp>
#include <hpspmd/active.hpp>
#include <hpspmd/procs.hpp>

#include "cases.hpp"
#include "cost/survey.hpp"
#include "plan/operations.hpp"

namespace hpspmd::test {
namespace {

using Adlib::PretendedProcesses;

TEST(Prices, LongMessagesAreReadAndShortOnesPacked) {
    const PretendedProcesses processes(2);
    const Procs1 p;
    Adlib::Machine machine;
    machine.nodeBandwidth = 8e9;
    const auto seconds = [&](Index width) {
        const ExtBlockRange x(1000, p.dim(0), width, width);
        return Adlib::writeHaloCost(p, {x, CollapsedRange(1000)}, 8, machine).seconds;
    };
    const double without = seconds(1);
    machine.packedBandwidth = 2e9;
    EXPECT_NEAR(without, machine.nodeLatency + 8000 / 8e9, 1e-15);
    EXPECT_NEAR(seconds(1), machine.nodeLatency + 8000 / 2e9, 1e-15);
    EXPECT_NEAR(seconds(40), machine.nodeLatency + 320000 / 8e9, 1e-15);
    machine.coresPerNode = 1;  // no memory in common
    EXPECT_NEAR(seconds(40), machine.latency + 320000 / machine.bandwidth, 1e-15);
}

TEST(Prices, RowsThatBecomeColumnsHaveAPriceOfTheirOwn) {
    const PretendedProcesses processes(2);
    const Procs1 p;
    const BlockRange x(300, p.dim(0));
    const detail::Layouts rows(p, {x, CollapsedRange(50)}), columns(p, {CollapsedRange(50), x});
    Adlib::Machine machine;
    machine.copyBandwidth = 4e9;
    const auto seconds = [&](const detail::plan::Operation& operation) {
        return detail::cost::survey(operation, false, 8, machine).seconds;
    };
    using detail::plan::transpose, detail::plan::remap;
    const double bytes = 150 * 50 * 8;
    EXPECT_NEAR(seconds(transpose(columns.descriptor(), rows.descriptor(), {1, 0})), bytes / 4e9,
                1e-15);
    machine.turnedBandwidth = 1e9;
    EXPECT_NEAR(seconds(transpose(columns.descriptor(), rows.descriptor(), {1, 0})), bytes / 1e9,
                1e-15);
    EXPECT_NEAR(seconds(remap(rows.descriptor(), rows.descriptor())), bytes / 4e9, 1e-15);
}

TEST(Prices, ElementsInLinesOfTheirOwnTakeLongerToPack) {
    const PretendedProcesses processes(2);
    const Procs1 p;
    const ExtBlockRange x(100, p.dim(0), 1, 1);
    const CollapsedRange y(300);
    Adlib::Machine machine;
    for (const std::size_t size : {4, 8, 64}) {
        const auto inRows = [&] { return Adlib::writeHaloCost(p, {x, y}, size, machine).seconds; };
        const auto inColumns = [&] {
            return Adlib::writeHaloCost(p, {y, x}, size, machine).seconds;
        };
        const double bytes = 300 * static_cast<double>(size),
                     rows = machine.nodeLatency + bytes / machine.nodeBandwidth;
        machine.loneLatency = 0;
        EXPECT_NEAR(inColumns(), rows, 1e-15);
        machine.loneLatency = 3e-9;
        EXPECT_NEAR(inRows(), rows, 1e-15);
        EXPECT_NEAR(inColumns(), rows + (size < 64 ? 300 * 3e-9 : 0), 1e-15);
    }
    machine.coresPerNode = 1;  // elsewhere the network is what is waited for
    EXPECT_NEAR(Adlib::writeHaloCost(p, {y, x}, 8, machine).seconds,
                machine.latency + 2400 / machine.bandwidth, 1e-15);
}

TEST(Prices, LinesOfWhichOnlyAPartIsReadCountWhole) {
    const PretendedProcesses processes(16);
    Adlib::Machine machine;
    machine.nodeBandwidth = 8e9;
    machine.copyBandwidth = 4e9;
    const auto seconds = [&](int size, std::size_t elementSize) {
        const Procs1 p(size);
        const Index n = Index{size} * size * 40000;  // 40000 for each pair of processes
        return Adlib::remapCost(p, {CyclicRange(n, p.dim(0))}, {BlockRange(n, p.dim(0))},
                                elementSize, machine)
            .seconds;
    };
    const auto expected = [&](int size, double elementSize, double lines) {
        const double bytes = 40000 * elementSize;
        return (size - 1) * (machine.nodeLatency + bytes * lines / 8e9) +
               bytes * (1 + lines) / 2 / 4e9;
    };
    EXPECT_NEAR(seconds(2, 8), expected(2, 8, 2), 1e-12);
    EXPECT_NEAR(seconds(4, 8), expected(4, 8, 4), 1e-12);
    EXPECT_NEAR(seconds(16, 8), (15 * (machine.nodeLatency + 320000 / 8e9) + 320000 * 4.5 / 4e9),
                1e-12);  // too far apart to be read in place: packed
    EXPECT_NEAR(seconds(4, 32), expected(4, 32, 2), 1e-12);
}

}  // namespace
}  // namespace hpspmd::test
