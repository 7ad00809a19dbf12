// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing the tree gives the text, byte for byte, and real C++ gives no message: this project's
// own sources and a sample of the headers on this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "corpus.hpp"

namespace hpcc::testing {
namespace {

namespace fs = std::filesystem;

bool isSource(const fs::path& path, bool anyName) {
    const std::string ending = path.extension();
    const bool known = ending == ".cpp" || ending == ".hpp" || ending == ".h" || ending == ".tcc";
    return known || (anyName && ending.empty());
}

// Every `step`-th source below a folder; nothing if the folder is not there.
std::vector<std::string> sample(const std::string& folder, std::size_t step, bool anyName = false) {
    std::vector<std::string> all, chosen;
    if (!fs::exists(folder)) return all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && isSource(entry.path(), anyName)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < all.size(); i += step) chosen.push_back(all[i]);
    return chosen;
}

void expectIdentity(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        const Parsed parsed(path, contentOf(path));
        EXPECT_TRUE(parsed.isIdentical()) << path;
        EXPECT_FALSE(parsed.engine.hasErrors()) << parsed.errors();
    }
}

TEST(Identity, OwnSources) {
    const std::vector<std::string> paths = [] {
        std::vector<std::string> all;
        for (const char* folder : {"translator", "runtime", "adlib", "include", "testsuite"})
            for (const std::string& path : sample(HPCPP_SOURCE_ROOT "/" + std::string(folder), 1))
                all.push_back(path);
        return all;
    }();
    EXPECT_GT(paths.size(), 50u);
    expectIdentity(paths);
}

TEST(Identity, OwnSourcesAreNearlyAllUnderstood) {
    int opaque = 0, files = 0;
    for (const std::string& path : sample(HPCPP_SOURCE_ROOT "/translator", 1)) {
        ++files;
        opaque += Parsed(path, contentOf(path)).opaqueCount();
    }
    EXPECT_LT(opaque, files);  // calls of macros at namespace scope, mostly
}

TEST(Identity, StandardLibrary) {
    const std::vector<std::string> paths = sample("/usr/include/c++", 3, true);
    if (paths.empty()) GTEST_SKIP() << "no headers of the standard library here";
    expectIdentity(paths);
}

TEST(Identity, Boost) {
    const std::vector<std::string> paths = sample("/usr/include/boost", 23);
    if (paths.empty()) GTEST_SKIP() << "no Boost here";
    expectIdentity(paths);
}

}  // namespace
}  // namespace hpcc::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
