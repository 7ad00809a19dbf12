// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/ending.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "threads/deep_stack.hpp"

namespace hpcc::driver {
namespace {

namespace fs = std::filesystem;

void limitAddressSpace(rlim_t bytes) {
    rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &limit);
}

int deep(int level) {
    volatile int here = level;
    return level < 0 ? here : deep(level + 1) + here;
}

TEST(EndingDeathTest, AStackThatIsFullIsTold) {
    const auto overflow = [] {
        watchTheEnd();
        limitAddressSpace(rlim_t{400} << 20);
        threads::onDeepStack([] { deep(0); });
    };
    EXPECT_EXIT(overflow(), testing::ExitedWithCode(1), "nested too deeply for the stack");
}

TEST(EndingDeathTest, MemoryThatEndsIsTold) {
    const auto takeAll = [] {
        watchTheEnd();
        limitAddressSpace(rlim_t{400} << 20);
        std::vector<std::string> pieces;
        while (true) pieces.emplace_back(1 << 20, 'x');
    };
    EXPECT_EXIT(takeAll(), testing::ExitedWithCode(1), "not enough memory");
}

TEST(EndingDeathTest, OurOwnMistakesAreInternalErrors) {
    const auto access = [] {
        watchTheEnd();
        threads::onDeepStack([] { ::raise(SIGSEGV); });
    };
    EXPECT_EXIT(access(), testing::ExitedWithCode(3), "internal error");
    const auto stop = [] {
        watchTheEnd();
        std::abort();
    };
    EXPECT_EXIT(stop(), testing::ExitedWithCode(3), "internal error");
}

TEST(EndingDeathTest, WhatIsUnfinishedGoesBeforeASignalEndsHpcc) {
    const fs::path folder = fs::path(testing::TempDir()) / "unfinished_of_hpcc";
    const auto interrupt = [&] {
        watchTheEnd();
        Unfinished unfinished;
        unfinished.make(folder, [&] { return ::mkdir(folder.c_str(), 0700); });
        fs::create_directories(folder / "a" / "b");
        ::close(::open((folder / "a" / "file").c_str(), O_CREAT | O_WRONLY, 0600));
        ::raise(SIGTERM);
    };
    EXPECT_EXIT(interrupt(), testing::KilledBySignal(SIGTERM), "");
    EXPECT_FALSE(fs::exists(folder));
}

TEST(Unfinished, KeepsWhatIsFinished) {
    const fs::path name = fs::path(testing::TempDir()) / "finished_of_hpcc";
    const auto create = [&] { return ::open(name.c_str(), O_CREAT | O_WRONLY, 0600); };
    {
        Unfinished unfinished;
        ::close(unfinished.make(name, create));
    }
    EXPECT_FALSE(fs::exists(name));
    {
        Unfinished unfinished;
        ::close(unfinished.make(name, create));
        EXPECT_EQ(unfinished.keep([] { return 0; }), 0);
    }
    EXPECT_TRUE(fs::remove(name));
}

}  // namespace
}  // namespace hpcc::driver
