// Every case of cases/: pre-translated and lowered text as written there, and the lowered text
// compiles without a warning. `golden_test --regenerate` writes the files anew; read the
// difference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, translatesAsWritten) {
    const GoldenCase golden = readGolden(GetParam());
    const Translation translation =
        translate(golden.name + ".hpcpp", golden.source, golden.checks());
    EXPECT_EQ(translation.errors, "");
    EXPECT_EQ(translation.pretranslated, golden.pretranslated);
    EXPECT_EQ(translation.lowered, golden.lowered);
}

TEST_P(Golden, loweredTextCompilesWithoutWarnings) {
    const GoldenCase golden = readGolden(GetParam());
    const Translation translation =
        translate(golden.name + ".hpcpp", golden.source, golden.checks());
    const auto file = std::filesystem::temp_directory_path() /
                      ("hpcpp_golden_" + std::to_string(::getpid()) + "_" + golden.name + ".cpp");
    std::ofstream(file) << translation.emitted;
    const std::string command = std::string(HPCPP_COMPILE) + " " + file.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << translation.emitted;
    std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, ::testing::ValuesIn(goldenNames()),
                         [](const auto& info) { return info.param; });

int regenerate() {
    for (const std::string& name : goldenNames()) {
        GoldenCase golden = readGolden(name);
        const Translation translation = translate(name + ".hpcpp", golden.source, golden.checks());
        if (!translation.errors.empty()) {
            std::cerr << name << ": " << translation.errors;
            return 1;
        }
        golden.pretranslated = translation.pretranslated;
        golden.lowered = translation.lowered;
        writeGolden(golden);
    }
    return 0;
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    if (argc == 2 && std::string(argv[1]) == "--regenerate") return hpcc::testing::regenerate();
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
