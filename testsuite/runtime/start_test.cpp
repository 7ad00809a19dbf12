// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is found out at the start: other launchers, and variables that mean nothing.

#include <gtest/gtest.h>

#include "launcher.hpp"
#include "variables.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace hpspmd::test {
namespace {

class Launchers : public testing::Test {
protected:
    // No launcher of this test's own.
    Launchers() {
        for (const char* name :
             {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE",
              "PALS_SIZE", "PALS_RANKID", "PBS_NODEFILE", "OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
            if (const char* value = std::getenv(name)) before_[name] = value;
            ::unsetenv(name);
        }
    }
    ~Launchers() override {
        for (const auto& [name, value] : before_) ::setenv(name.c_str(), value.c_str(), 1);
    }

    static std::string with(const char* name, const char* value) {
        ::setenv(name, value, 1);
        const std::string found = detail::otherLauncher();
        ::unsetenv(name);
        return found;
    }

private:
    std::map<std::string, std::string> before_;
};

TEST_F(Launchers, OfSeveralProcessesAreNamed) {
    EXPECT_EQ(detail::otherLauncher(), "");
    EXPECT_EQ(with("PMI_SIZE", "1"), "");
    EXPECT_EQ(with("SLURM_STEP_NUM_TASKS", "1"), "");
    EXPECT_EQ(with("SLURM_STEP_NUM_TASKS", "x"), "");
    EXPECT_NE(with("PMI_SIZE", "3").find("MPICH's mpiexec started 3 processes"), std::string::npos);
    EXPECT_NE(with("SLURM_STEP_NUM_TASKS", "2").find("Slurm's srun started 2"), std::string::npos);
    EXPECT_NE(with("FLUX_JOB_SIZE", "4").find("Flux"), std::string::npos);
    EXPECT_NE(with("PALS_SIZE", "4").find("PALS"), std::string::npos);
    EXPECT_NE(with("PALS_RANKID", "3").find("PALS"), std::string::npos);
    EXPECT_EQ(with("PALS_RANKID", "0"), "");
    // mpiexec -n 1 inside of a step with several tasks: what is nearer to MPI counts.
    ::setenv("PMI_SIZE", "1", 1);
    EXPECT_EQ(with("SLURM_STEP_NUM_TASKS", "2"), "");
    EXPECT_EQ(with("PALS_RANKID", "1"), "");
    ::unsetenv("PMI_SIZE");
}

TEST_F(Launchers, PbsGivesPlaces) {
    const std::string file = testing::TempDir() + "pbs_nodes_" + std::to_string(::getpid());
    std::ofstream(file) << "a\na\nb\n";
    EXPECT_EQ(detail::warningOfPlaces(), "");
    ::setenv("PBS_NODEFILE", file.c_str(), 1);
    const std::string warning = detail::warningOfPlaces();
    EXPECT_NE(warning.find("PBS gives this job 3 places"), std::string::npos) << warning;
    EXPECT_NE(warning.find("hpcc run -n 3"), std::string::npos) << warning;
    ::setenv("PMI_RANK", "0", 1);  // mpiexec -n 1
    EXPECT_EQ(detail::warningOfPlaces(), "");
    ::unsetenv("PMI_RANK");
    std::ofstream(file) << "a\n";
    EXPECT_EQ(detail::warningOfPlaces(), "");
    std::remove(file.c_str());
    EXPECT_EQ(detail::warningOfPlaces(), "");
    ::unsetenv("PBS_NODEFILE");
}

TEST(Variables, ThatMeanNothingAreNamed) {
    const char* const environment[] = {"PATH=/bin", "HPSPMD_LOG=1", "HPSPMD_WAITNG=spin",
                                       "HPSPMD_CASE=1", nullptr};
    const auto warnings = detail::warningsOfVariables(environment);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("HPSPMD_WAITNG means nothing"), std::string::npos);
    EXPECT_NE(warnings[0].find("HPSPMD_WAITING"), std::string::npos);
    EXPECT_EQ(warnings[0].find("HPSPMD_CASE"), std::string::npos);
}

}  // namespace
}  // namespace hpspmd::test
