#include "cases.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <hpspmd/environment.hpp>
#include <sstream>
#include <string>

namespace hpspmd::test {
namespace {

/// Where cases run.
struct Stage {
    int processes;  ///< of the job, 0 if it has no MPI
    bool (*isAnywhere)(bool);
};

bool isHere(bool condition) { return condition; }

bool isInAnyProcess(bool condition) {
    int any = condition;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
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

void runCases(std::uint64_t usual, const Case& run, const Stage& stage) {
    if (const char* const given = std::getenv("HPSPMD_CASE"))
        return report(run, choicesOf(given), stage);
    static std::uint64_t inAll = 0;
    const std::uint64_t count = usual * times();
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        Random random(seed);
        if (!stage.isAnywhere(!failureOf(run, random).empty())) continue;
        const auto fails = [&](Choices& choices) {
            Random again(choices);
            const bool failed = stage.isAnywhere(!failureOf(run, again).empty());
            choices = again.made();
            return failed;
        };
        return report(run, shrink(random.made(), fails), stage);
    }
    inAll += count;
    if (detail::ownRank() <= 0)  // without MPI there is none
        std::printf("%s: %llu cases, %llu so far\n", testName().c_str(),
                    static_cast<unsigned long long>(count), static_cast<unsigned long long>(inAll));
}

}  // namespace

void forCases(std::uint64_t usual, const Case& run) { runCases(usual, run, {0, isHere}); }

void forLiveCases(std::uint64_t usual, const Case& run) {
    int processes = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    runCases(usual, run, {processes, isInAnyProcess});
}

}  // namespace hpspmd::test
