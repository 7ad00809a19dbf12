// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nothing hangs: each scenario of astray.cpp under mpiexec, with its exit code, its message and
/// its time; with the memory of the node, and with messages only, as between nodes.

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "launching.hpp"

namespace hpspmd::test {
namespace {

struct Expectation {
    const char* scenario;
    int leastProcesses;
    int exitCode;
    const char* message;     // a regular expression
    double atLeast, atMost;  // seconds, start of the job included
};

const Expectation wrong[] = {
    {"kinds", 2, 83,
     "AdlibError: the processes do not execute the same collective: rank \\d is in m..val "
     "\\(\\S*astray.cpp:\\d+\\), rank \\d is in m..val \\(\\S*astray.cpp:\\d+\\)\n",
     0, soon},
    {"goesOn", 2, 83,
     "AdlibError: sum: m..val \\(\\S*astray.cpp:\\d+\\) failed under way in this process", 0, soon},
    {"breaksOff", 2, 83, "rank 0 is in letter \\(\\S*astray.cpp:\\d+\\), rank \\d is in another", 0,
     soon},
    {"plans", 2, 83, "is in remap \\(\\S*:\\d+\\), rank \\d is in remap .* with other arguments", 0,
     soon},
    {"amounts", 2, 83, "is in cshift .*, rank \\d is in cshift .* with other arguments", 0, soon},
    {"skips", 2, 83,
     "is in writeHalo \\(\\S*:\\d+\\) and waits for rank \\d, which has ended without this "
     "collective",
     0, soon},
    {"exits", 2, 83, "is in sum \\(\\S*:\\d+\\) and waits for rank \\d, which has ended", 0, soon},
    {"exitsBadly", 2, 7, "left with exit status 7 while other processes were still running", 0,
     soon},
    {"finalizes", 2, 83, "is in sum \\(\\S*:\\d+\\) and waits for rank \\d, which has ended", 0,
     soon},
    {"throws", 2, 90, "uncaught exception: one process has a problem", 0, soon},
    {"throwsAndGoesOn", 2, 83, "is in sum .* and waits for rank \\d, which has ended", 0, soon},
    {"memory", 2, 84, "OutOfMemory: an array needs", 0, soon},
    {"staysAway", 2, 83, "rank \\d is in s(um|hift) .*, rank \\d is in s(um|hift) ", 0, soon},
    {"nestedWrongly", 2, 83, "rank \\d is in sum .*, rank \\d is in sum \\(\\S*:\\d+\\)", 0, soon},
    {"circle", 4, 83, "over another group: each waits for the others", 0, soon}};

const Expectation right[] = {
    {"slow", 2, 0, "through", 3, 25},       {"filesUsedUp", 2, 0, "through", 0.8, 25},
    {"slowHalo", 2, 0, "through", 1, 25},   {"slowEnd", 2, 0, "through", 1, 25},
    {"stopped", 2, 0, "through", 0.9, 25},  {"stoppedAsleep", 2, 0, "through", 0.6, 25},
    {"disjoint", 2, 0, "through", 0.9, 25}, {"nested", 2, 0, "through", 1, 25}};

void expect(const Expectation& expected, int processes, const std::string& prefix) {
    if (processes < expected.leastProcesses) return;
    SCOPED_TRACE(prefix + " " + std::to_string(processes) + " processes");
    const Outcome outcome = runJobSoon(expected.atMost, expected.scenario, processes, prefix);
    EXPECT_EQ(outcome.exitCode, expected.exitCode) << outcome.output;
    EXPECT_TRUE(std::regex_search(outcome.output, std::regex(expected.message))) << outcome.output;
    EXPECT_GE(outcome.seconds, expected.atLeast);
    EXPECT_LE(outcome.seconds, expected.atMost);
}

class Astray : public ::testing::TestWithParam<Expectation> {};

TEST_P(Astray, WithNodeMemory) {
    for (const int processes : {2, 3, 4}) expect(GetParam(), processes, "");
}

// Notes reach only those who wait or have ended, and compare no circles of groups.
TEST_P(Astray, WithMessagesOnly) {
    const std::string scenario = GetParam().scenario;
    if (scenario == "staysAway" || scenario == "circle" || scenario == "nestedWrongly" ||
        scenario == "breaksOff")
        GTEST_SKIP();
    expect(GetParam(), 3, "HPSPMD_NODE_MEMORY=off");
}

// Where processes share cores they sleep while they wait; here they do so anyway.
TEST_P(Astray, Asleep) {
    const std::string scenario = GetParam().scenario;
    if (GetParam().exitCode == 0 && scenario.find("stopped") != 0) GTEST_SKIP();
    expect(GetParam(), 4, "HPSPMD_WAITING=sleep");
}

const auto nameOf = [](const auto& info) { return std::string(info.param.scenario); };
INSTANTIATE_TEST_SUITE_P(Wrong, Astray, ::testing::ValuesIn(wrong), nameOf);
INSTANTIATE_TEST_SUITE_P(Right, Astray, ::testing::ValuesIn(right), nameOf);

TEST(Astray, SpeaksOnce) {
    EXPECT_EQ(countOf(runJob("kinds", 4).output, "AdlibError"), 1u);
    EXPECT_EQ(countOf(runJob("exits", 4).output, "AdlibError"), 1u);
}

TEST(Astray, ComparesNothingIfSwitchedOff) {
    EXPECT_EQ(runJob("exits off", 2, "timeout 3").exitCode, 124);
}

// The same at each start, whatever else the machine does.
TEST(Choices, AreTold) {
    for (int start = 0; start < 4; ++start) {
        const std::string spins = runJob("meets", 2, "HPSPMD_LOG=1 HPSPMD_WAITING=spin").output;
        EXPECT_NE(spins.find("cores: they spin while they wait"), std::string::npos) << spins;
        EXPECT_NE(spins.find("the 2 processes of this node exchange messages by shared memory"),
                  std::string::npos)
            << spins;
    }
    const std::string shared =
        runJob("meets", 2, "HPSPMD_LOG=1 OMPI_MCA_hwloc_base_binding_policy=none taskset -c 0")
            .output;
    EXPECT_NE(shared.find("2 threads and 1 core: they sleep while they wait"), std::string::npos)
        << shared;
    const std::string off = runJob("meets", 2, "HPSPMD_LOG=1 HPSPMD_NODE_MEMORY=off").output;
    EXPECT_NE(off.find("exchange messages by MPI"), std::string::npos) << off;
}

// By the launcher, which is told first.
TEST(Astray, KilledProcessEndsTheJob) {
    for (const char* const waiting : {"spin", "sleep"})
        for (const int processes : {2, 3, 4}) {
            const Outcome outcome =
                runJobSoon(soon, "killed", processes, std::string("HPSPMD_WAITING=") + waiting);
            EXPECT_NE(outcome.exitCode, 0) << outcome.output;
            EXPECT_LE(outcome.seconds, soon) << outcome.output;
        }
}

}  // namespace
}  // namespace hpspmd::test
