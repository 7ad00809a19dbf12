// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "golden/compile.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hpcc::testing {

::testing::AssertionResult compilesAlone(const std::string& compiler, const std::string& text) {
    const auto base =
        std::filesystem::temp_directory_path() / ("hpcpp_golden_" + std::to_string(::getpid()));
    const std::string source = base.string() + ".cpp", log = base.string() + ".log";
    std::ofstream(source) << text;
    const std::string command = compiler + " " + HPCPP_COMPILER_FLAGS + " " + source + " 2> " + log;
    auto result = std::system(command.c_str()) == 0 ? ::testing::AssertionSuccess()
                                                    : ::testing::AssertionFailure();
    result << command << '\n' << std::ifstream(log).rdbuf();
    std::filesystem::remove(source);
    std::filesystem::remove(log);
    return result;
}

}  // namespace hpcc::testing
