// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// main of the tests that run under mpiexec: every process runs all tests; process 0 reports them,
/// the others report failures only. Tests use EXPECT, not ASSERT, wherever a collective follows, so
/// that all processes go on together.

#include <gtest/gtest.h>

#include <cstdio>
#include <hpspmd/environment.hpp>

namespace {

class FailureReporter : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::printf("process %d, %s:%d: %s\n", hpspmd::detail::ownRank(),
                    result.file_name() ? result.file_name() : "?", result.line_number(),
                    result.message());
        std::fflush(stdout);
    }
};

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    hpspmd::detail::startEnvironment();
    if (hpspmd::detail::ownRank() != 0) {
        testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailureReporter);
    }
    return RUN_ALL_TESTS();
}
