// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every case of cases/ at the levels that it has: the text as written there, and it compiles
// without a warning. `optimize_test --regenerate` writes the files anew; read the difference.
#include <gtest/gtest.h>

#include "golden/compile.hpp"
#include "golden/main.hpp"
#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

class OptimizeGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(OptimizeGolden, isAsWritten) {
    const GoldenCase golden = readGolden(GetParam());
    for (const auto& [level, text] : golden.levels) {
        const Optimized result = optimized(golden.name, golden.source, level);
        EXPECT_EQ(result.errors, "");
        EXPECT_EQ(result.text, text);
    }
}

TEST_P(OptimizeGolden, compilesWithoutWarnings) {
    const GoldenCase golden = readGolden(GetParam());
    for (const auto& [level, text] : golden.levels) {
        const Optimized result = optimized(golden.name, golden.source, level);
        EXPECT_TRUE(compilesAlone(HPCPP_COMPILER, result.emitted)) << result.emitted;
#ifdef HPCPP_CLANG  // its headers are not precompiled, so it sees the highest level only
        if (level == golden.levels.rbegin()->first) {
            EXPECT_TRUE(compilesAlone(HPCPP_CLANG, result.emitted)) << result.emitted;
        }
#endif
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, OptimizeGolden, ::testing::ValuesIn(goldenNames()),
                         [](const auto& info) { return info.param; });

std::string regenerate(const std::string& name) {
    GoldenCase golden = readGolden(name);
    for (auto& [level, text] : golden.levels) {
        const Optimized result = optimized(name, golden.source, level);
        if (!result.errors.empty()) return result.errors;
        text = result.text;
    }
    writeGolden(golden);
    return "";
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    using namespace hpcc::testing;
    return goldenMain(argc, argv, goldenNames(), regenerate);
}
