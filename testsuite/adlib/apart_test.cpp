// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Questions to a process apart, which may crash.

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <hpspmd/plain.hpp>

#include "files/apart.hpp"
#include "files/disk_file.hpp"
#include "files_folder.hpp"
#include "fork.hpp"

namespace hpspmd::test {
namespace {

using detail::files::Apart;
using detail::files::Failure;

std::string failureOf(Apart& apart, const std::string& question, int seconds = 30) {
    try {
        return "answer " + apart.ask(question, seconds);
    } catch (const Failure& failure) {
        return failure.what();
    }
}

TEST(Apart, AnswersOneQuestionAfterTheOther) {
    const long copies = detail::forks::copies;
    int asked = 0;
    Apart apart("lib", [&](const std::string& question) {
        if (question == "none") throw Failure("it has none");
        return std::to_string(++asked) + question;
    });
    EXPECT_EQ(apart.ask("a", 30), "1a");
    EXPECT_EQ(failureOf(apart, "none"), "it has none");
    const std::string large(5'000'000, 'x');
    EXPECT_EQ(apart.ask(large, 30), "2" + large);
    EXPECT_EQ(asked, 0);  // the other process has counted
    EXPECT_EQ(detail::forks::copies, copies) << "arrays were copied";
}

TEST(Apart, OneProcessIsApartEnough) {
    const auto numberOfProcess = [](const std::string&) { return std::to_string(::getpid()); };
    Apart outer("outer", [&](const std::string& question) {
        Apart inner("inner", [&](const std::string& asked) {
            if (asked == "none") throw Failure("it has none");
            return numberOfProcess(asked);
        });
        return inner.ask(question, 30) + " in " + numberOfProcess("");
    });
    const std::string told = outer.ask("which", 30), own = numberOfProcess("");
    EXPECT_EQ(told.substr(0, told.find(' ')), told.substr(told.rfind(' ') + 1)) << told;
    EXPECT_NE(told.substr(0, told.find(' ')), own);
    EXPECT_EQ(failureOf(outer, "none"), "it has none");
}

TEST(Apart, ACrashIsAFailure) {
    const auto ends = [](const std::string& how) -> std::string {
        if (how == "abort") std::abort();
        if (how == "signal") std::raise(SIGSEGV);
        if (how == "exit") std::_Exit(0);
        if (how == "throw") throw 1;
        if (how == "damage") {
            void* volatile memory = std::malloc(24);
            for (int k = 0; k < 2; ++k) std::free(memory);
        }
        while (how == "loop") std::atomic_signal_fence(std::memory_order_seq_cst);
        return "none";
    };
    const auto told = [&](const std::string& how) {
        Apart apart("lib", ends);
        const std::string first = failureOf(apart, how, 1);
        EXPECT_NE(failureOf(apart, how).find("it is damaged: lib crashes"), std::string::npos);
        return first;
    };
    const std::string crash = "it is damaged: lib crashes when it reads it";
    EXPECT_EQ(told("signal"), crash + " (Segmentation fault)");
    EXPECT_EQ(told("abort"), crash + " (Aborted)");
    EXPECT_EQ(told("damage"), crash + " (Aborted)");
    EXPECT_EQ(told("throw"), crash + " (Aborted)");
    EXPECT_EQ(told("exit"), crash);
    EXPECT_EQ(told("loop"), "it is damaged: lib does not come to an end with it");
    Apart apart("lib", ends);
    EXPECT_EQ(failureOf(apart, "none"), "answer none");
}

}  // namespace
}  // namespace hpspmd::test
