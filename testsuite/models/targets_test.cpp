// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Targets: how many threads nests and patterns get, and what rules say.

#include <gtest/gtest.h>

#include <algorithm>
#include <hpspmd/patterns.hpp>
#include <hpspmd>
#include <set>

#include "target/back_end.hpp"
#include "target/rules.hpp"

namespace hpspmd::test {
namespace {

using detail::On;
using detail::Rules;
using detail::Site;
using detail::targetNamed;
using namespace targets;

const int usual = omp_get_max_threads();

/// How many threads a nest of 1000 rows is divided among.
int threadsOfNest() {
    const CollapsedRange x(1000);
    std::vector<int> who(1000, -1);
    detail::inThreads(
        detail::Work(x),
        [&](const detail::BlockShare& share) {
            for (const Block block : share)
                for (Index k = 0; k < block.count; ++k)
                    who[static_cast<std::size_t>(block.globalBase + k)] = detail::threadNumber;
        },
        x.localBlocks());
    return static_cast<int>(std::set<int>(who.begin(), who.end()).size());
}

/// The same of a pattern.
int threadsOfPattern() {
    const std::vector<int> a(1000);
    const std::vector<int> who = patterns::map([](int) { return detail::threadNumber; })(a);
    return static_cast<int>(std::set<int>(who.begin(), who.end()).size());
}

void expectThreads(int wanted) {
    EXPECT_EQ(threadsOfNest(), wanted);
    EXPECT_EQ(threadsOfPattern(), wanted);
}

TEST(Targets, OnSaysHowManyThreads) {
    expectThreads(usual);
    {
        const On on(sequential);
        EXPECT_TRUE(on);
        expectThreads(1);
        {
            const On inner(threads.count(2));
            expectThreads(2);
        }
        {
            const On inner(threads);
            expectThreads(usual);
        }
        expectThreads(1);
    }
    expectThreads(usual);
    try {
        const On on(sequential);
        throw 1;
    } catch (int) {
        expectThreads(usual);
    }
}

TEST(Targets, WhatIsNotThereFallsBack) {
    for (const Target& target : {Target(gpu), gpu.number(3), devices, automatic}) {
        const On on(target);
        expectThreads(usual);
    }
}

TEST(Targets, StrictIsAnError) {
    EXPECT_THROW(On(gpu.strict()), TargetUnavailable);
    EXPECT_THROW(On(devices.strict()), TargetUnavailable);
    EXPECT_THROW(On(gpu.number(1).strict()), TargetUnavailable);
    EXPECT_EQ(TargetUnavailable("x").exitCode(), 87);
    EXPECT_NO_THROW(On(threads.strict()));
    EXPECT_NO_THROW(On(automatic.strict()));
    expectThreads(usual);
}

TEST(Targets, TheGroupStaysAndGroupsKeepTheTarget) {
    const Procs1 p;
    const On outer(p);
    const Group before = apg();
    const On on(sequential);
    EXPECT_TRUE(apg() == before);
    const On inner(p);
    expectThreads(1);
}

TEST(Targets, TheSameAnswerEverywhere) {
    const Procs1 p;
    const On onP(p);
    const BlockRange x(101, p.dim(0));
    const auto a = create<double>(p, x);
    const auto square = patterns::map([](double e) { return e * e + 0.5; });
    const auto sum = square | patterns::reduce(std::plus<>(), 0.0);
    const double wanted = [&] {
        const On on(sequential);
        return sum(a);
    }();
    for (const Target& target : {Target(threads), threads.count(2), Target(gpu), automatic}) {
        const On on(target);
        EXPECT_DOUBLE_EQ(sum(a), wanted);
    }
}

TEST(Targets, Names) {
    using detail::TargetKind;
    EXPECT_EQ(targetNamed("threads")->kind(), TargetKind::Threads);
    EXPECT_EQ(targetNamed("threads:4")->number(), 4);
    EXPECT_EQ(targetNamed("cuda:1")->number(), 1);
    EXPECT_EQ(targetNamed("opencl:1.2")->kind(), TargetKind::OpenCl);
    EXPECT_TRUE(targetNamed("gpu!")->isStrict());
    EXPECT_TRUE(targetNamed("cuda:1!")->isStrict());
    for (const char* words : {"", "!", "gpus", "cuda:", "cuda:x", "cuda:1.2", "check:1", "Threads",
                              "sequential:2", "threads:-1", "threads:4x", "threads 4"})
        EXPECT_FALSE(targetNamed(words)) << words;
    EXPECT_EQ(detail::nameOf(gpu.number(2)), "gpu:2");
}

std::string targetAt(const Rules& rules, const char* file, int line, const char* function) {
    const auto target = rules.at(Site{{file, line}, function});
    return target ? detail::nameOf(target->target) : "none";
}

TEST(Targets, Rules) {
    const Rules rules = Rules::parsed(
        "# a comment\n"
        "\n"
        "  relax : gpu \n"
        "sor.hpcpp:17:threads:2\n"
        "sweep:cuda:1\r\n"
        "relax:sequential\n"
        "b/sor.hpcpp:20:opencl:0.1\n",
        "rules");
    EXPECT_EQ(targetAt(rules, "/sources/a/sor.hpcpp", 17, "relax"), "threads:2");
    EXPECT_EQ(targetAt(rules, "/sources/a/sor.hpcpp", 18, "relax"), "sequential");
    EXPECT_EQ(targetAt(rules, "sor.hpcpp", 17, "main"), "threads:2");
    EXPECT_EQ(targetAt(rules, "other_sor.hpcpp", 17, "main"), "none");
    EXPECT_EQ(targetAt(rules, "/sources/b/sor.hpcpp", 20, "main"), "opencl:0.1");
    EXPECT_EQ(targetAt(rules, "/sources/a/sor.hpcpp", 20, "main"), "none");
    EXPECT_EQ(targetAt(rules, "x.hpcpp", 1, "sweep"), "cuda:1");
    const Rules all = Rules::parsed("f:gpu\n*:threads\n", "rules");
    EXPECT_EQ(targetAt(all, "x.hpcpp", 1, "f"), "threads");
    EXPECT_EQ(targetAt(all, "x.hpcpp", 1, "g"), "threads");
}

std::string whyNoCheck;  // the pretended devices work if these are empty
std::string whyNoOpenCl = "there is none";

const bool areRegistered =
    detail::registerBackEnd({detail::TargetKind::Check, [](int) { return whyNoCheck; }}) &&
    detail::registerBackEnd({detail::TargetKind::OpenCl, [](int number) {
                                 return number > 0 ? "there is one device" : whyNoOpenCl;
                             }});

/// The device of a nest that has a kernel, or "none".
std::string deviceUnder(const Target& target) {
    const On on(target);
    return detail::nameOf(detail::deviceAt(Site::here().withKernel()));
}

TEST(Devices, AreAskedInOrder) {
    ASSERT_TRUE(areRegistered);
    whyNoOpenCl.clear();
    const Target check(detail::TargetKind::Check), cuda(detail::TargetKind::Cuda);
    EXPECT_EQ(deviceUnder(check), "check");
    EXPECT_EQ(deviceUnder(gpu), "opencl");
    EXPECT_EQ(deviceUnder(gpu.number(0)), "opencl:0.0");
    EXPECT_EQ(deviceUnder(gpu.number(1)), "none");
    EXPECT_EQ(deviceUnder(devices), "opencl");
    EXPECT_EQ(deviceUnder(cuda), "none");
    for (const Target& target : {Target(sequential), Target(threads), automatic})
        EXPECT_EQ(deviceUnder(target), "none");
    EXPECT_EQ(detail::nameOf(detail::deviceAt(Site::here())),
              "opencl");  // nobody has said anything
    whyNoOpenCl = "its compiler is missing";
    EXPECT_EQ(deviceUnder(gpu), "none");
    EXPECT_EQ(detail::findDevice(gpu).reason,
              "cuda: this program has no kernels for cuda; opencl: its compiler is missing");
}

TEST(Devices, StrictTargetsWantThem) {
    const Target check = Target(detail::TargetKind::Check).strict();
    const Site site = Site::here();
    {
        const On on(check);
        EXPECT_EQ(detail::nameOf(detail::deviceAt(site)), "check");
        EXPECT_THROW(detail::mostThreads(site), TargetUnavailable);  // a nest without a kernel
        EXPECT_GE(detail::mostThreads(site.withKernel()), 1);
        EXPECT_THROW(detail::fallBack(site, "no memory is left there"), TargetUnavailable);
        whyNoCheck = "it is broken";
        EXPECT_THROW(detail::deviceAt(site), TargetUnavailable);
    }
    EXPECT_THROW(On(check, {}), TargetUnavailable);
    whyNoCheck.clear();
    const On on(Target(detail::TargetKind::Check));
    EXPECT_NO_THROW(detail::fallBack(site, "no memory is left there"));
}

std::string problemOf(const char* text) {
    try {
        Rules::parsed(text, "my.rules");
    } catch (const TargetUnavailable& error) {
        return error.what();
    }
    return "none";
}

TEST(Targets, NoRules) {
    const auto expectProblem = [](const char* text, const char* part) {
        EXPECT_NE(problemOf(text).find(part), std::string::npos) << problemOf(text);
    };
    expectProblem("relax:gpu\nrelax:gpuu\n", "my.rules:2: 'relax:gpuu' is no rule");
    expectProblem("threads", "my.rules:1: 'threads' is no rule");
    expectProblem("relax:", "my.rules:1: 'relax:' is no rule");
    expectProblem(":gpu", "my.rules:1: '' is neither");
    expectProblem("Sor::relax:gpu", "'Sor::relax' is neither file:line nor the name of a function");
    expectProblem("sor.hpcpp:gpu", "'sor.hpcpp' is neither");
    expectProblem("sor.hpcpp:x:gpu", "'sor.hpcpp:x' is neither");
}

}  // namespace
}  // namespace hpspmd::test
