// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every case of cases/: pre-translated and lowered text as written there, and the lowered text
// compiles without a warning. `golden_test --regenerate` writes the files anew; read the
// difference.
#include <gtest/gtest.h>

#include "golden/compile.hpp"
#include "golden/main.hpp"
#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

Translation translateCase(const GoldenCase& golden) {
    return translate(golden.name + ".hpcpp", golden.source, golden.options());
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, translatesAsWritten) {
    const GoldenCase golden = readGolden(GetParam());
    const Translation translation = translateCase(golden);
    EXPECT_EQ(translation.errors, "");
    EXPECT_EQ(translation.pretranslated, golden.pretranslated);
    EXPECT_EQ(translation.lowered, golden.lowered);
}

TEST_P(Golden, loweredTextCompilesWithoutWarnings) {
    const Translation translation = translateCase(readGolden(GetParam()));
    EXPECT_TRUE(compilesAlone(HPCPP_COMPILER, translation.emitted)) << translation.emitted;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, ::testing::ValuesIn(goldenNames()),
                         [](const auto& info) { return info.param; });

std::string regenerate(const std::string& name) {
    GoldenCase golden = readGolden(name);
    const Translation translation = translateCase(golden);
    if (!translation.errors.empty()) return translation.errors;
    golden.pretranslated = translation.pretranslated;
    golden.lowered = translation.lowered;
    writeGolden(golden);
    return "";
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    using namespace hpcc::testing;
    return goldenMain(argc, argv, goldenNames(), regenerate);
}
