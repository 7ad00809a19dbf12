// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/process.hpp"

#include <gtest/gtest.h>

#include "driver/failure.hpp"

namespace hpcc::driver {
namespace {

TEST(Process, ShellLineQuotesWhatAShellWouldChange) {
    EXPECT_EQ(shellLine({"a", "-Ib/c", "two words", "it's", "", "$x"}),
              "a -Ib/c 'two words' 'it'\\''s' '' '$x'");
}

TEST(Process, RunTellsTheExitStatus) {
    EXPECT_EQ(run({"true"}), 0);
    EXPECT_EQ(run({"sh", "-c", "exit 7"}), 7);
    EXPECT_EQ(run({"sh", "-c", "kill -9 $$"}), 128 + 9);
    EXPECT_THROW(run({"/no/such/program"}), Failure);
}

TEST(Process, ErrorsCanBeKept) {
    std::string errors;
    EXPECT_EQ(run({"sh", "-c", "yes error | head -n 20000 >&2; exit 3"}, errors), 3);
    EXPECT_EQ(errors.size(), 20000 * 6u);
    EXPECT_THROW(run({"/no/such/program"}, errors), Failure);
}

TEST(Process, OutputOfBothStreams) {
    EXPECT_EQ(outputOf({"sh", "-c", "echo out; echo err >&2"}), "out\nerr\n");
    EXPECT_EQ(outputOf({"/no/such/program"}), "");
}

}  // namespace
}  // namespace hpcc::driver
