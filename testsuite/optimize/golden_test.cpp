// Every case of cases/ at -O1 and -O2: the text as written there, and it compiles without a
// warning. `optimize_test --regenerate` writes the files anew; read the difference.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "golden_case.hpp"

namespace hpcc::testing {
namespace {

class OptimizeGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(OptimizeGolden, isAsWritten) {
    const GoldenCase golden = readGolden(GetParam());
    for (const int level : {1, 2}) {
        const Optimized result = optimized(golden.name, golden.source, level);
        EXPECT_EQ(result.errors, "");
        EXPECT_EQ(result.text, golden.level[level]);
    }
}

TEST_P(OptimizeGolden, compilesWithoutWarnings) {
    const GoldenCase golden = readGolden(GetParam());
    const std::string compilers[] = {HPCPP_COMPILE, HPCPP_CLANG};
    for (const int level : {1, 2}) {
        const Optimized result = optimized(golden.name, golden.source, level);
        const auto file = std::filesystem::temp_directory_path() /
                          ("hpcpp_optimize_" + std::to_string(::getpid()) + ".cpp");
        std::ofstream(file) << result.emitted;
        for (const std::string& compiler : compilers) {
            if (compiler.empty()) continue;
            const std::string command = compiler + " " + file.string();
            EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << result.emitted;
        }
        std::filesystem::remove(file);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, OptimizeGolden, ::testing::ValuesIn(goldenNames()),
                         [](const auto& info) { return info.param; });

int regenerate() {
    for (const std::string& name : goldenNames()) {
        GoldenCase golden = readGolden(name);
        for (const int level : {1, 2}) {
            const Optimized result = optimized(name, golden.source, level);
            if (!result.errors.empty()) {
                std::cerr << name << ": " << result.errors;
                return 1;
            }
            golden.level[level] = result.text;
        }
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
