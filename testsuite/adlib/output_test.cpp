// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Output that cannot be written: each stream of speaking.cpp, each way out, a full disk, a pipe
/// that its reader has closed, and one that nobody reads.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "launching.hpp"

namespace hpspmd::test {
namespace {

/// The program started by a shell, its stdout going `where`; by mpiexec or, of one process, alone.
Outcome speak(const std::string& arguments, const std::string& where, int processes = 1) {
    const std::string launcher =
        processes == 1 ? "" : MPIEXEC " -n " + std::to_string(processes) + " ";
    return run("env HWLOC_COMPONENTS=-pci,-opencl timeout 20 " + launcher + "sh -c '" + where +
               PROGRAM + " " + arguments + "'");
}

std::string full(const std::string& command = "exec ") { return "exec >/dev/full; " + command; }
/// A pipe without a reader.
std::string closed() { return "mkfifo $$.pipe; exec 3<>$$.pipe >$$.pipe 3<&-; rm $$.pipe; exec "; }
/// A pipe whose reader never reads: this process.
std::string blocked() { return "mkfifo $$.pipe; exec 3<>$$.pipe >$$.pipe; rm $$.pipe; exec "; }

struct Sink {
    const char* name;
    std::string (*shell)();
    const char* reason;
};

const Sink sinks[] = {{"full", [] { return full(); }, "No space left on device"},
                      {"closed", closed, "Broken pipe"}};
const char* const streams[] = {"cout", "unsynchronized", "printf", "gprintln"};

void expectLost(const Outcome& outcome, std::vector<int> exitCodes, const char* reason) {
    EXPECT_NE(std::ranges::find(exitCodes, outcome.exitCode), exitCodes.end())
        << outcome.exitCode << ": " << outcome.output;
    EXPECT_EQ(countOf(outcome.output, "IoError: standard output cannot be written: "), 1u)
        << outcome.output;
    EXPECT_EQ(countOf(outcome.output, reason), 1u) << outcome.output;
}

class Output : public ::testing::TestWithParam<const char*> {};

TEST_P(Output, IsNotLostWithoutAWord) {
    const std::string stream = GetParam();
    for (const Sink& sink : sinks)
        for (const char* const way : {" return", " exit", " exit3", " return much"}) {
            SCOPED_TRACE(sink.name + std::string(way));
            const bool isLate =  // found at the end, and not by the signal of the pipe
                stream == "unsynchronized" || (stream != "gprintln" && sink.shell != closed);
            const bool ownCode = way == std::string(" exit3") && stream != "gprintln";
            std::vector<int> codes = {85};
            if (ownCode && isLate) codes = {3};
            // By the signal of the pipe or at the end, whichever comes first.
            if (ownCode && sink.shell == closed) codes = {3, 85};
            expectLost(speak(stream + way, sink.shell()), codes, sink.reason);
        }
}

TEST_P(Output, OfEachProcessIsLookedAt) {
    for (const Sink& sink : sinks)
        for (const int processes : {2, 4}) {
            if (processes == 4 && GetParam() != std::string("printf")) continue;
            SCOPED_TRACE(sink.name);
            const Outcome outcome =
                speak(GetParam() + std::string(" return"), sink.shell(), processes);
            EXPECT_EQ(outcome.exitCode, 85) << outcome.output;
            EXPECT_GE(countOf(outcome.output, sink.reason), 1u) << outcome.output;
        }
}

TEST_P(Output, DoesNotKeepAnErrorFromBeingTold) {
    if (GetParam() == std::string("gprintln")) GTEST_SKIP() << "the output is the error";
    for (const std::string& shell : {full(), blocked()}) {
        const Outcome outcome = speak(GetParam() + std::string(" error"), shell);
        EXPECT_EQ(outcome.exitCode, 82) << shell << outcome.output;
        EXPECT_EQ(countOf(outcome.output, "OutOfBounds: location 3"), 1u) << outcome.output;
    }
}

INSTANTIATE_TEST_SUITE_P(Stream, Output, ::testing::ValuesIn(streams),
                         [](const auto& info) { return std::string(info.param); });

TEST(BlockedOutput, DoesNotKeepAnErrorFromBeingTold) {
    const std::string fill = blocked() + "sh -c \"timeout 0.1 cat /dev/zero; exec ";
    for (const int processes : {1, 2}) {
        const std::string launcher =
            processes == 1 ? "" : MPIEXEC " -n " + std::to_string(processes) + " ";
        const auto speakHeld = [&] {
            return run("env HWLOC_COMPONENTS=-pci,-opencl timeout 20 " + launcher + "sh -c '" +
                       fill + PROGRAM " held error\"'");
        };
        Outcome outcome = speakHeld();
        if (outcome.seconds > soon + 2) outcome = speakHeld();  // the machine may be busy
        EXPECT_EQ(outcome.exitCode, 82) << outcome.output;
        EXPECT_GE(countOf(outcome.output, "OutOfBounds: location 3"), 1u) << outcome.output;
        EXPECT_LE(outcome.seconds, soon + 2);  // it looks for a reader, and the pipe is filled
    }
}

TEST(Output, OfAbortIsThatOfAnyProgram) {
    for (const std::string& shell : {full(), closed(), blocked()})
        EXPECT_EQ(speak("held abort", shell).exitCode, 134) << shell;
}

TEST(Output, BehindTheEndOfTheEnvironmentCounts) {
    for (const Sink& sink : sinks)
        expectLost(speak("late return", sink.shell()), {85}, sink.reason);
    expectLost(speak("unstarted return", full()), {85}, sinks[0].reason);
    EXPECT_EQ(speak("late return", full(), 2).exitCode, 85);
}

TEST(Output, ThatIsThereIsNoError) {
    EXPECT_EQ(speak("gprintln catches", full()).exitCode, 0);  // the program knows
    EXPECT_EQ(speak("printf closes", full()).exitCode, 0);
    for (const char* const stream : {"nothing", "printf", "cout", "unsynchronized", "gprintln"})
        EXPECT_EQ(speak(stream + std::string(" return much"), "exec ").exitCode, 0);
    for (const std::string& shell : {full(), closed(), blocked(), std::string("exec >&-; exec ")})
        EXPECT_EQ(speak("nothing return", shell).exitCode, 0) << shell;
}

}  // namespace
}  // namespace hpspmd::test
