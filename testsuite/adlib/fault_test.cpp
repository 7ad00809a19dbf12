/// Each MPI call of the library may fail: the job ends soon, with exit code 86 and one message. The
/// environment variable HPSPMD_FAULTS says how many faults are tried (default 60).

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace hpspmd::test {
namespace {

struct Outcome {
    int exitCode;
    std::string output;
};

Outcome run(const std::string& variables) {
    const std::string command =
        "env HWLOC_COMPONENTS=-pci " + variables + " timeout 20 " MPIEXEC " -n 2 " PROGRAM " 2>&1";
    Outcome outcome{-1, ""};
    FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> buffer;
    while (std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
        outcome.output.append(buffer.data(), n);
    outcome.exitCode = WEXITSTATUS(::pclose(pipe));
    return outcome;
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

int faults() {
    const char* const wanted = std::getenv("HPSPMD_FAULTS");
    return wanted ? std::atoi(wanted) : 60;
}

// The calls one by one, those of the start first. How many there are in all depends on the moment,
// so a late one may not be reached; by shared memory there are few.
void tryFaults(const std::string& variables, int count) {
    EXPECT_EQ(run(variables).exitCode, 0);
    int struck = 0;
    for (int k = 0; k < count; ++k) {
        const std::string fault =
            "HPSPMD_FAULT=" + std::to_string(k % 2) + ":" + std::to_string(k / 2 + 1);
        SCOPED_TRACE(variables + " " + fault);
        const Outcome outcome = run(variables + " " + fault);
        if (outcome.exitCode == 0) continue;
        ++struck;
        EXPECT_EQ(outcome.exitCode, 86) << outcome.output;
        EXPECT_EQ(countOf(outcome.output, "MpiError: "), 1u) << outcome.output;
    }
    EXPECT_GE(struck, count / 2);
}

TEST(Faults, WithNodeMemory) { tryFaults("HPSPMD_LOG=", std::min(faults() / 3, 40)); }

TEST(Faults, WithMessagesOnly) {
    tryFaults("HPSPMD_NODE_MEMORY=off", faults() - std::min(faults() / 3, 40));
}

}  // namespace
}  // namespace hpspmd::test
