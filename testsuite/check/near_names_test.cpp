// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "Did you mean": one edit for short names, two for longer ones.
#include "check/near_names.hpp"

#include <gtest/gtest.h>

namespace hpcc::check {
namespace {

TEST(NearNames, OneOrTwoEdits) {
    const std::vector<std::string> known = {"writeHalo", "remap", "rng", "size"};
    EXPECT_EQ("writeHalo", nearestName("writHalo", known));
    EXPECT_EQ("writeHalo", nearestName("wirteHallo", known));
    EXPECT_EQ("rng", nearestName("rgn", known));
    EXPECT_EQ("remap", nearestName("reamp", known));
}

TEST(NearNames, NothingIsNear) {
    const std::vector<std::string> known = {"writeHalo", "rng", "j"};
    EXPECT_EQ("", nearestName("begin", known));
    EXPECT_EQ("", nearestName("rows", known));
    EXPECT_EQ("", nearestName("i", known));
    EXPECT_EQ("", nearestName("rng", known));
}

}  // namespace
}  // namespace hpcc::check
