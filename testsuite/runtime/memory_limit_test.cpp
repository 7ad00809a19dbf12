// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Limits of groups of processes, of both versions, in folders that stand in for the system's.

#include "memory_limit.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace hpspmd::test {
namespace {

namespace fs = std::filesystem;
using detail::MemoryLimit;

class Limits : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(::testing::TempDir()) /
                  ("cgroups." + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((folder_ / file).parent_path());
        std::ofstream(folder_ / file) << text;
    }
    MemoryLimit limit() const { return MemoryLimit({folder_, folder_ / "self"}); }

private:
    fs::path folder_;
};

constexpr std::size_t mebibyte = std::size_t{1} << 20;

TEST_F(Limits, OfVersionTwoAreTheNarrowestOnTheWayUp) {
    write("self", "0::/a/b\n");
    write("memory.max", "max\n");
    write("a/memory.max", std::to_string(300 * mebibyte));
    write("a/memory.current", std::to_string(120 * mebibyte));
    write("a/memory.stat", "anon 5\ninactive_file 10485760\nactive_file 10485760\n");
    write("a/b/memory.max", std::to_string(400 * mebibyte));
    EXPECT_TRUE(limit().exists());
    EXPECT_EQ(limit().bytes(), 300 * mebibyte);
    EXPECT_EQ(limit().used(), 100 * mebibyte);
}

TEST_F(Limits, OfVersionOneKnowNoneByALargeNumber) {
    write("self", "5:cpu:/x\n4:cpuset,memory:/a\n0::/\n");
    write("memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_FALSE(limit().exists());
    write("memory/a/memory.limit_in_bytes", std::to_string(50 * mebibyte));
    write("memory/a/memory.usage_in_bytes", std::to_string(20 * mebibyte));
    write("memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 4194304\n");
    EXPECT_EQ(limit().bytes(), 50 * mebibyte);
    EXPECT_EQ(limit().used(), 16 * mebibyte);
}

TEST_F(Limits, OfAContainerAreThoseOfTheRoot) {
    write("self", "0::/docker/0123456789\n");  // the path on the host
    write("memory.max", std::to_string(400 * mebibyte));
    EXPECT_EQ(limit().bytes(), 400 * mebibyte);
    EXPECT_EQ(limit().used(), 0u);
}

TEST_F(Limits, NeedNotExist) {
    EXPECT_FALSE(limit().exists());
    write("self", "nonsense\n7:memory\n0::/\n");
    write("memory.max", "max\n");
    EXPECT_FALSE(limit().exists());
}

}  // namespace
}  // namespace hpspmd::test
