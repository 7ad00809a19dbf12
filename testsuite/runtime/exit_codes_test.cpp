// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a job ends: each scenario of misbehave.cpp under mpiexec, with its exit code, its message,
/// and never a hang.

#include <gtest/gtest.h>

#include <string>

#include "launching.hpp"

namespace hpspmd::test {
namespace {

constexpr int hung = 124;  // what timeout(1) answers

struct Expectation {
    const char* scenario;
    int exitCode;
    const char* message;
};

constexpr Expectation expectations[] = {
    {"groupTooLarge", 80, "rank 0: ProcsArrayTooLarge: a process grid of 1000 x 1000"},
    {"notContained", 80, "GroupNotContained"},
    {"shiftTooWide", 81, "ShiftTooWide: an index shifted by 1"},
    {"outOfBounds", 82, "OutOfBounds: location 3 is outside 0 .. 2 of CollapsedRange(3)"},
    {"onlyLast", 82, "OutOfBounds: location -1"},
    {"beforeStart", 82, "rank 0: BadExtent: CollapsedRange of extent -1"},
    {"beforeStartAlone", 82, "rank 0: BadExtent"},
    {"adlib", 83, "AdlibError: sum: provoked"},
    {"memory", 84, "OutOfMemory: an array needs"},
    {"memoryIsGone", 84, "OutOfMemory: the system has no memory left for the elements of an array"},
    {"io", 85, "IoError: provoked"},
    {"mpi", 86, "MpiError: MPI_Send: "},
    {"foreign", 90, "rank 0: uncaught exception: not one of ours"},
    {"terminates", 90, "rank 0: std::terminate was called"},
    {"crashes", 139, "segmentation fault (address 0) in crashes; last collective: sum at "},
    {"overflows", 139, " in recursion; last collective: none"},
    {"aborts", 134, "abort in aborts; last collective: none"},
    {"exits", 0, ""},
    {"exitsBadlyTogether", 7, "rank 0 says goodbye"},
    {"adopts", 0, ""},
    {"endsNormally", 0, ""},
};

class ExitCode : public ::testing::TestWithParam<Expectation> {};

TEST_P(ExitCode, IsTheDocumentedOneWithAMessage) {
    const Expectation& expected = GetParam();
    for (int processes : {1, 2, 4}) {
        const Outcome outcome = runJob(expected.scenario, processes);
        ASSERT_NE(outcome.exitCode, hung) << outcome.output;
        EXPECT_EQ(outcome.exitCode, expected.exitCode)
            << processes << " processes: " << outcome.output;
        EXPECT_NE(outcome.output.find(expected.message), std::string::npos)
            << processes << " processes: " << outcome.output;
        if (expected.exitCode >= 80 && expected.exitCode < 86 &&
            std::string(expected.scenario) != "memoryIsGone") {
            EXPECT_NE(outcome.output.find("misbehave.cpp:"), std::string::npos) << outcome.output;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Job, ExitCode, ::testing::ValuesIn(expectations),
                         [](const auto& info) { return std::string(info.param.scenario); });

TEST(Job, AllFailingAlikeReportOnce) {
    EXPECT_EQ(countOf(runJob("groupTooLarge", 4).output, "ProcsArrayTooLarge"), 1u);
}

TEST(Job, EveryProcessSaysGoodbye) {
    EXPECT_EQ(countOf(runJob("exitsBadlyTogether", 4).output, "says goodbye"), 4u);
}

TEST(Job, OneProcessLeavingEarlyEndsTheOthers) {
    const Outcome outcome = runJob("exitsBadly", 3);
    EXPECT_EQ(outcome.exitCode, 7);
    EXPECT_NE(outcome.output.find(
                  "rank 0: left with exit status 7 while other processes were still running"),
              std::string::npos)
        << outcome.output;
}

// The launcher answers with the code of the first process that it saw end, which need not be ours.
TEST(Job, EndsThoughMpiAbortDoesNotReturn) {
    EXPECT_EQ(runJob("abortNeverReturns", 1).exitCode, 82);
    for (int processes : {2, 4}) {
        const Outcome outcome = runJob("abortNeverReturns", processes);
        EXPECT_NE(outcome.exitCode, 0) << outcome.output;
        EXPECT_NE(outcome.exitCode, hung) << outcome.output;
    }
}

TEST(Launcher, OfAnotherMpiIsRecognised) {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE=4", "PMI_SIZE=4"}) {
        const Outcome outcome = run("env HWLOC_COMPONENTS=-pci,-opencl " + std::string(variable) +
                                    " " PROGRAM " endsNormally");
        EXPECT_EQ(outcome.exitCode, 88) << outcome.output;
        EXPECT_NE(outcome.output.find("wrong launcher"), std::string::npos) << outcome.output;
        EXPECT_NE(outcome.output.find(variable), std::string::npos) << outcome.output;
    }
}

TEST(Launcher, NoneIsOneProcess) {
    EXPECT_EQ(run("env HWLOC_COMPONENTS=-pci,-opencl " PROGRAM " endsNormally").exitCode, 0);
}

}  // namespace
}  // namespace hpspmd::test
