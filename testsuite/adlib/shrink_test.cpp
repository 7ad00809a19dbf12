// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Failing cases of forCases: they are made smaller, and the line that is reported runs them again.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "cases.hpp"

namespace hpspmd::test {
namespace {

/// Up to ten numbers; wrong if one of them is above 6.
void numbers(Random& random) {
    for (Index left = random.below(10); left >= 0; --left) EXPECT_LE(random.below(1000), 6);
}

TEST(Cases, ReportTheSmallestFailure) {
    EXPECT_NONFATAL_FAILURE(forCases(50, numbers), "HPSPMD_CASE=0.7 ");
    EXPECT_NONFATAL_FAILURE(forCases(50, numbers), "--gtest_filter=Cases.ReportTheSmallestFailure");
}

TEST(Cases, TakeExceptionsForFailures) {
    EXPECT_NONFATAL_FAILURE(forCases(1, [](Random&) { throw std::runtime_error("no memory"); }),
                            "exception: no memory");
}

TEST(Cases, RunOneFromTheEnvironment) {
    ::setenv("HPSPMD_CASE", "1.3.900", 1);
    EXPECT_NONFATAL_FAILURE(forCases(50, numbers), "HPSPMD_CASE=1.3.900 ");
    ::setenv("HPSPMD_CASE", "1.3.4", 1);
    int runs = 0;
    forCases(50, [&](Random& random) {
        numbers(random);
        ++runs;
    });
    EXPECT_EQ(runs, 1);
    ::unsetenv("HPSPMD_CASE");
}

TEST(Cases, ShrinkListsWhosePartsDependOnEachOther) {
    const auto fails = [](Choices& choices) {
        return std::accumulate(choices.begin(), choices.end(), Index{0}) >= 20 &&
               choices.size() >= 2;
    };
    const Choices small = shrink({17, 3, 4, 44, 2, 8, 9, 120}, fails);
    EXPECT_EQ(small.size(), 2u);
    EXPECT_EQ(small[0] + small[1], 20);
}

TEST(Random, RepeatsItsChoices) {
    Random random(3);
    const Index a = random.below(100), b = random.between(5, 9);
    Random again(random.made());
    EXPECT_EQ(again.below(100), a);
    EXPECT_EQ(again.between(5, 9), b);
    EXPECT_EQ(again.below(100), 0);
    EXPECT_EQ(Random(Choices{50}).below(10), 9);
}

}  // namespace
}  // namespace hpspmd::test
