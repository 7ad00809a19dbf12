// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which equations and inequalities no integers fulfil.
#include "analysis/system.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hpcc::analysis {
namespace {

const Sum i = Sum::of(0), p = Sum::of(1), j = Sum::of(2), q = Sum::of(3), d = Sum::of(4),
          n = Sum::of(5), t = Sum::of(6), u = Sum::of(7);

struct Case {
    std::string about;
    std::vector<Sum> zero, notNegative;
    bool isImpossible;
};

TEST(System, IsImpossible) {
    const std::vector<Case> cases = {
        {"even and odd", {i - Sum(2) * t, i - Sum(2) * u - Sum(1)}, {}, true},
        {"thirds meet", {i - Sum(2) * t, i - Sum(3) * u}, {}, false},
        {"an anti-diagonal", {i - p + Sum(1), j - q, i + j - d, p + q - d}, {}, true},
        {"its own diagonal", {i - p + Sum(1), j - q - Sum(1), i + j - d, p + q - d}, {}, false},
        {"8 of 8 places", {i - p - Sum(8)}, {i, Sum(7) - i, p, Sum(7) - p}, true},
        {"7 of 8 places", {i - p - Sum(7)}, {i, Sum(7) - i, p, Sum(7) - p}, false},
        {"between two integers", {}, {Sum(2) * i - Sum(1), Sum(1) - Sum(2) * i}, true},
        {"n + 1 of n places", {i - p - n}, {i, n - i - Sum(1), p}, true},
        {"n - 1 of n places", {i - p - n + Sum(1)}, {i, n - i - Sum(1), p}, false},
        {"a product, as far as it is one number", {n * i - n * i - Sum(1)}, {}, true},
        {"different products", {n * i - n * p - Sum(1)}, {}, false},
        {"in three steps", {}, {j - i - Sum(1), t - j - Sum(1), i - t}, true},
        {"nothing is asked", {}, {}, false},
    };
    for (const Case& each : cases) {
        System system;
        for (const Sum& sum : each.zero) system.isZero(sum);
        for (const Sum& sum : each.notNegative) system.isNotNegative(sum);
        EXPECT_EQ(each.isImpossible, system.isImpossible()) << each.about;
    }
}

TEST(System, AFactorThatIsNotZeroIsLeftOut) {
    System system;
    system.isZero(d * (Sum(2) * t - Sum(2) * u + Sum(1)));
    EXPECT_FALSE(system.isImpossible());
    system.isNotZero(4);
    EXPECT_TRUE(system.isImpossible());
}

TEST(Sum, TooLargeIsUnknownForGood) {
    Sum sum = Sum(1L << 40) * i;
    EXPECT_TRUE(sum.isKnown());
    sum = sum * Sum(1L << 40);
    EXPECT_FALSE(sum.isKnown());
    EXPECT_FALSE((sum - sum).isKnown());
    EXPECT_FALSE((sum - sum).isZero());
    System system;
    system.isZero(sum + Sum(1));
    EXPECT_FALSE(system.isImpossible());
}

}  // namespace
}  // namespace hpcc::analysis
