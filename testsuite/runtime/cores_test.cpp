// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many cores processes have, by their masks and by the quotas of control groups.

#include "cpu_quota.hpp"
#include "oversubscription.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

namespace hpspmd::test {
namespace {

using detail::Allowance;
using detail::CpuQuota;

Allowance on(std::initializer_list<int> cores, CpuQuota quota = {}) {
    Allowance process{};
    for (const int core : cores) CPU_SET(static_cast<std::size_t>(core), &process.mask);
    process.quota = quota;
    return process;
}

TEST(Cores, OfMasks) {
    const Allowance all = on({0, 1, 2, 3});
    EXPECT_TRUE(detail::haveCores({all, all, all, all}, {1, 1, 1, 1}));
    EXPECT_FALSE(detail::haveCores({all, all, all, all, all}, {1, 1, 1, 1, 1}));
    EXPECT_TRUE(detail::haveCores({all, all}, {2, 2}));
    EXPECT_FALSE(detail::haveCores({all, all}, {2, 3}));
    EXPECT_EQ(detail::coresTogether({on({0}), on({5})}), 2);
}

// Enough cores together, but not where these processes may run.
TEST(Cores, OfMasksThatOverlap) {
    EXPECT_FALSE(detail::haveCores({on({0}), on({0}), on({1, 2, 3})}, {1, 1, 1}));
    EXPECT_TRUE(detail::haveCores({on({0, 1}), on({0}), on({1, 2})}, {1, 1, 1}));  // 1, 0, 2
    EXPECT_FALSE(detail::haveCores({on({0, 1}), on({0, 1}), on({0, 1, 2, 3})}, {1, 2, 1}));
    EXPECT_TRUE(detail::haveCores({on({2, 3}), on({0, 1, 2, 3})}, {2, 2}));
}

TEST(Cores, OfWhichTheMaskNamesOne) {  // OpenMP binds the thread that asks
    Allowance bound = on({0});
    bound.least = 4;
    EXPECT_EQ(detail::coresTogether({bound}), 4);
    EXPECT_TRUE(detail::haveCores({bound}, {4}));
    EXPECT_FALSE(detail::haveCores({bound}, {5}));
}

TEST(Cores, NotKnownAreEnough) {
    EXPECT_EQ(detail::coresTogether({on({}), on({0})}), 0);
    EXPECT_TRUE(detail::haveCores({on({}), on({0})}, {7, 7}));
}

TEST(Cores, OfQuotas) {
    const CpuQuota two{2.5, 7}, one{1, 8}, half{0.5, 9};
    const Allowance first = on({0, 1, 2, 3}, two), second = on({0, 1, 2, 3}, one);
    EXPECT_EQ(detail::coresTogether({first, first, first}), 2);
    EXPECT_TRUE(detail::haveCores({first, first}, {1, 1}));
    EXPECT_FALSE(detail::haveCores({first, first, first}, {1, 1, 1}));
    EXPECT_EQ(detail::coresTogether({first, second}), 3);
    EXPECT_TRUE(detail::haveCores({first, second}, {2, 1}));
    EXPECT_FALSE(detail::haveCores({first, second}, {1, 2}));  // each group has its own
    EXPECT_TRUE(detail::haveCores({on({0, 1}, half)}, {1}));
    EXPECT_EQ(detail::coresTogether({first, on({0, 1, 2, 3})}), 4);
}

/// A folder that stands in for the machine's files.
class Machine {
public:
    Machine() : root_(testing::TempDir() + "hpspmd_cgroup_" + std::to_string(::getpid())) {}
    ~Machine() { std::filesystem::remove_all(root_); }

    void write(const std::string& path, const std::string& text) const {
        const std::filesystem::path file = root_ + path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    CpuQuota quota() const {
        return detail::cpuQuota({root_ + "/sys/fs/cgroup", root_ + "/proc/self/cgroup"});
    }

private:
    std::string root_;
};

TEST(CpuQuota, OfVersion2) {
    const Machine machine;
    EXPECT_EQ(machine.quota().cores, 0);
    machine.write("/proc/self/cgroup", "0::/job/step\n");
    machine.write("/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    EXPECT_EQ(machine.quota().cores, 0);
    machine.write("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    EXPECT_EQ(machine.quota().cores, 1.5);
    const CpuQuota outer = machine.quota();
    machine.write("/sys/fs/cgroup/job/step/cpu.max", "200000 100000\n");  // the outer one is less
    EXPECT_EQ(machine.quota().cores, 1.5);
    EXPECT_EQ(machine.quota().group, outer.group);
    machine.write("/sys/fs/cgroup/job/step/cpu.max", "50000 100000\n");
    EXPECT_EQ(machine.quota().cores, 0.5);
    EXPECT_NE(machine.quota().group, outer.group);
}

TEST(CpuQuota, OfVersion1) {
    const Machine machine;
    machine.write("/proc/self/cgroup", "5:cpuset:/a\n4:cpu,cpuacct:/a\n1:name=systemd:/\n0::/\n");
    machine.write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
    machine.write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(machine.quota().cores, 0);
    machine.write("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "300000\n");
    EXPECT_EQ(machine.quota().cores, 3);
}

// The path is the host's, the files are the container's.
TEST(CpuQuota, InAContainer) {
    const Machine machine;
    machine.write("/proc/self/cgroup", "0::/docker/1234\n");
    machine.write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_EQ(machine.quota().cores, 2);
}

}  // namespace
}  // namespace hpspmd::test
