// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <hpspmd/environment.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "transport/transport.hpp"

namespace hpspmd::test {
namespace {

/// Where cases run.
struct Stage {
    int processes;  ///< of the job, 0 if it has no MPI
    /// The smallest number that any process has.
    std::uint64_t (*smallest)(std::uint64_t);

    bool isAnywhere(bool condition) const { return smallest(condition ? 0 : 1) == 0; }
};

std::uint64_t own(std::uint64_t number) { return number; }

/// Without MPI all processes are on this node.
std::uint64_t smallestOnNode(std::uint64_t number) {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(detail::jobTransport().nodeSize()));
    detail::jobTransport().gatherOnNode(&number, sizeof number, all.data());
    return *std::min_element(all.begin(), all.end());
}

/// Gives up the core while it waits, as the library does: there may be fewer cores than processes.
std::uint64_t smallestOfAll(std::uint64_t number) {
    int hasMpi = 0;
    MPI_Initialized(&hasMpi);
    if (!hasMpi) return smallestOnNode(number);
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD, &request);
    for (int done = 0; !done; sched_yield()) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return number;
}

std::uint64_t times() {
    const char* const wanted = std::getenv("HPSPMD_TIMES");
    return wanted ? std::strtoull(wanted, nullptr, 10) : 1;
}

/// Without zeros at the end, which go without saying.
std::string textOf(Choices choices) {
    while (!choices.empty() && choices.back() == 0) choices.pop_back();
    std::string text;
    for (const Index choice : choices) (text += text.empty() ? "" : ".") += std::to_string(choice);
    return text;
}

Choices choicesOf(const std::string& text) {
    Choices choices;
    std::istringstream in(text);
    for (std::string choice; std::getline(in, choice, '.');)
        choices.push_back(std::strtoll(choice.c_str(), nullptr, 10));
    return choices;
}

/// What the case says is wrong, "" if nothing.
std::string failureOf(const Case& run, Random& random) {
    testing::TestPartResultArray results;
    std::string failure;
    {
        using Reporter = testing::ScopedFakeTestPartResultReporter;
        const Reporter reporter(Reporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
        try {
            run(random);
        } catch (const std::exception& error) {
            failure = std::string("exception: ") + error.what();
        }
    }
    for (int k = 0; k < results.size() && failure.empty(); ++k)
        if (results.GetTestPartResult(k).failed()) failure = results.GetTestPartResult(k).message();
    return failure;
}

std::string testName() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test.test_suite_name()) + "." + test.name();
}

/// The case as a line for the shell, and what is wrong with it.
void report(const Case& run, Choices choices, const Stage& stage) {
    Random random(choices);
    const std::string failure = failureOf(run, random);
    const std::string launcher =
        stage.processes > 0 ? "mpiexec -n " + std::to_string(stage.processes) + " " : "";
    if (stage.isAnywhere(!failure.empty()))
        ADD_FAILURE() << "HPSPMD_CASE=" << textOf(choices) << " " << launcher << "<this program> "
                      << "--gtest_filter=" << testName() << "\n"
                      << (failure.empty() ? "right on this process" : failure);
}

/// The first of these cases that fails on any process; past them if none does. All are run, so that
/// processes need not agree after each.
std::uint64_t firstFailure(const Case& run, std::uint64_t begin, std::uint64_t end,
                           const Stage& stage) {
    std::uint64_t first = end;
    for (std::uint64_t seed = begin; seed < end; ++seed) {
        Random random(seed);
        if (!failureOf(run, random).empty()) first = std::min(first, seed);
    }
    return stage.smallest(first);
}

Choices smallestFailure(const Case& run, std::uint64_t seed, const Stage& stage) {
    const auto fails = [&](Choices& choices) {
        Random random(choices);
        const bool failed = stage.isAnywhere(!failureOf(run, random).empty());
        choices = random.made();
        return failed;
    };
    Random random(seed);
    failureOf(run, random);
    return shrink(random.made(), fails);
}

void runCases(std::uint64_t usual, const Case& run, const Stage& stage) {
    if (const char* const given = std::getenv("HPSPMD_CASE"))
        return report(run, choicesOf(given), stage);
    constexpr std::uint64_t together = 50;
    const std::uint64_t end = usual * times() + 1;
    for (std::uint64_t begin = 1; begin < end; begin += together) {
        const std::uint64_t last = std::min(end, begin + together);
        const std::uint64_t seed = firstFailure(run, begin, last, stage);
        if (seed < last) return report(run, smallestFailure(run, seed, stage), stage);
    }
    static std::uint64_t inAll = 0;
    inAll += end - 1;
    if (detail::ownRank() <= 0)  // without MPI there is none
        std::printf("%s: %llu cases, %llu so far\n", testName().c_str(),
                    static_cast<unsigned long long>(end - 1),
                    static_cast<unsigned long long>(inAll));
}

}  // namespace

void forCases(std::uint64_t usual, const Case& run) { runCases(usual, run, {0, own}); }

void forLiveCases(std::uint64_t usual, const Case& run) {
    runCases(usual, run, {detail::World::actual().size(), smallestOfAll});
}

}  // namespace hpspmd::test
