// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each MPI call of the library may fail: the job ends soon, with exit code 86 and one message.
/// Calls of the start and the end, and those of each operation (faulty.cpp), on 1 to 4 processes.
/// The environment variable HPSPMD_FAULTS says how many faults must strike (default 40).

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "launching.hpp"

namespace hpspmd::test {
namespace {

const std::string noNodeMemory = "HPSPMD_NODE_MEMORY=off";

int faults() {
    const char* const wanted = std::getenv("HPSPMD_FAULTS");
    return wanted ? std::atoi(wanted) : 40;
}

/// What is not as documented about the end of a job that a fault struck; empty if nothing.
std::string complaint(const Outcome& outcome, const std::string& operation, int processes,
                      const std::string& prefix) {
    if (outcome.exitCode != 86) return "exit code " + std::to_string(outcome.exitCode);
    const std::size_t messages = countOf(outcome.output, "MpiError: ");
    if (messages != 1) return std::to_string(messages) + " messages";
    if (outcome.seconds <= soon) return "";
    const double late = outcome.seconds - runJob(operation, processes, prefix).seconds;
    return late <= soon ? "" : std::to_string(late) + " s";
}

/// Lets call number `call` of process `rank` fail; false if there is no such call, as their number
/// depends on the moment. A machine that stalls may end a job otherwise, but not twice in a row.
bool strike(const std::string& operation, int processes, const std::string& prefix, int rank,
            long call) {
    const std::string fault = "HPSPMD_FAULT=" + std::to_string(rank) + ":" + std::to_string(call);
    std::string complaints;
    for (int turn = 0; turn < 2; ++turn) {
        const Outcome outcome = runJob(operation, processes, prefix + " " + fault);
        if (outcome.exitCode == 0) return false;
        const std::string found = complaint(outcome, operation, processes, prefix);
        if (found.empty()) return true;
        const std::string told = prefix + " " + fault + " mpiexec -n " + std::to_string(processes) +
                                 " faulty " + operation + ": " + found + "\n" + outcome.output;
        std::printf("%s", told.c_str());
        complaints += told;
    }
    ADD_FAILURE() << complaints;
    return true;
}

/// Calls number first + 1 to last.
struct Calls {
    long first, last;
};

Calls callsOf(const std::string& output, int rank) {
    std::smatch found;
    const std::regex line("calls of " + std::to_string(rank) + ": (\\d+) (\\d+)\\.");
    if (!std::regex_search(output, found, line)) return {0, 0};
    return {std::stol(found[1]), std::stol(found[2])};
}

std::vector<std::string> operations() {
    std::istringstream list(runJob("list", 1).output);
    std::vector<std::string> names;
    for (std::string name; std::getline(list, name);) names.push_back(name);
    return names;
}

/// `wanted` faults at calls of the operation, on one process after the other.
int strikeIn(const std::string& operation, int processes, int wanted) {
    if (wanted == 0) return 0;
    const Outcome healthy = runJob(operation, processes, noNodeMemory);
    EXPECT_EQ(healthy.exitCode, 0) << operation << healthy.output;
    int struck = 0;
    for (int attempt = 0; struck < wanted && attempt < 2 * wanted + 4; ++attempt) {
        const int rank = attempt % processes;
        const Calls calls = callsOf(healthy.output, rank);
        const long count = calls.last - calls.first;
        if (count > 0)
            struck += strike(operation, processes, noNodeMemory, rank,
                             calls.first + 1 + (attempt * 31L) % count);
    }
    return struck;
}

TEST(Faults, InEveryOperation) {
    const std::vector<std::string> names = operations();
    ASSERT_GE(names.size(), 20u);
    const int wanted = faults() * 3 / 4;
    const int configurations = static_cast<int>(names.size()) * 3;
    int struck = 0, turn = 0;
    for (const std::string& name : names)
        for (const int processes : {2, 3, 4}) {
            ++turn;  // so that these add up
            struck +=
                strikeIn(name, processes,
                         wanted * turn / configurations - wanted * (turn - 1) / configurations);
        }
    std::printf("%d faults struck in %zu operations\n", struck, names.size());
    EXPECT_GE(struck, wanted * 9 / 10);
}

TEST(Faults, AtTheStartAndTheEnd) {
    const int wanted = faults() - faults() * 3 / 4;
    int struck = 0;
    for (int k = 0; struck < wanted && k < 3 * wanted; ++k) {
        const int processes = 1 + k % 4;
        const std::string prefix = k / 4 % 2 == 0 ? "HPSPMD_LOG=" : noNodeMemory;
        struck += strike("remap", processes, prefix, k / 8 % processes, 1 + k / 8 % 40);
    }
    std::printf("%d faults struck in start and end\n", struck);
    EXPECT_GE(struck, wanted);
}

}  // namespace
}  // namespace hpspmd::test
