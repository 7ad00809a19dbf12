// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Children of the processes of a job, with and without the memory of the node: children.cpp checks
/// itself.

#include <gtest/gtest.h>

#include "launching.hpp"

namespace hpspmd::test {
namespace {

class Children : public ::testing::TestWithParam<const char*> {};

TEST_P(Children, TakeNoPartInTheJob) {
    for (const int processes : {1, 2, 4}) {
        const Outcome outcome = runJob("", processes, GetParam());
        EXPECT_EQ(outcome.exitCode, 0) << processes << " processes: " << outcome.output;
        EXPECT_EQ(countOf(outcome.output, "programs end\n"), 1u) << outcome.output;
        EXPECT_EQ(countOf(outcome.output, "Assertion"), 0u) << outcome.output;
        EXPECT_EQ(countOf(outcome.output, "AdlibError: sum: this is a child process made by fork"),
                  static_cast<std::size_t>(processes))
            << outcome.output;
    }
}

INSTANTIATE_TEST_SUITE_P(Fork, Children, ::testing::Values("", "HPSPMD_NODE_MEMORY=off"),
                         [](const auto& info) {
                             return std::string(info.index == 0 ? "NodeMemory" : "MessagesOnly");
                         });

}  // namespace
}  // namespace hpspmd::test
