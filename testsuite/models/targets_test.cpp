// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Targets: how many threads nests and patterns get, and what rules say.

#include <gtest/gtest.h>

#include <algorithm>
#include <hpspmd/patterns.hpp>
#include <hpspmd>
#include <limits>
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
    for (const Target& target : {Target(gpu), gpu.number(3), Target(devices), automatic}) {
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

TEST(Targets, ChunksHaveRows) {
    for (const int rows : {0, -5, 1000001, std::numeric_limits<int>::max()}) try {
            const On on(devices.schedule(dynamic(rows)));
            FAIL() << rows;
        } catch (const TargetUnavailable& error) {
            EXPECT_NE(std::string(error.what()).find("chunks have 1 to 1000000 rows"),
                      std::string::npos)
                << error.what();
        }
    for (const int rows : {1, 1000000}) EXPECT_NO_THROW(On(devices.schedule(dynamic(rows))));
    EXPECT_NO_THROW(On(devices.schedule(guided)));
    EXPECT_NO_THROW(On(devices.schedule(fixed)));
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
    const struct {
        const char* words;
        const char* name;
        bool isStrict;
    } rows[] = {{"sequential", "sequential", false},
                {"threads", "threads", false},
                {"threads:1", "threads:1", false},
                {"threads:4096", "threads:4096", false},
                {"threads!", "threads", true},
                {"gpu!", "gpu", true},
                {"gpu:0", "gpu:0", false},
                {"cuda:1!", "cuda:1", true},
                {"opencl", "opencl", false},
                {"opencl:0.0", "opencl:0.0", false},
                {"opencl:12.999!", "opencl:12.999", true},
                {"check", "check", false},
                {"devices", "devices", false},
                {"devices:85", "devices:85", false},
                {"devices:measured!", "devices:measured", true},
                {"devices:guided", "devices:guided", false},
                {"devices:grow", "devices:grow", false},
                {"devices:shrink!", "devices:shrink", true},
                {"devices:fixed!", "devices", true},
                {"devices:dynamic:1", "devices:dynamic:1", false},
                {"devices:dynamic:1000000!", "devices:dynamic:1000000", true},
                {"automatic", "automatic", false}};
    for (const auto& row : rows) {
        const auto target = targetNamed(row.words).target;
        ASSERT_TRUE(target) << row.words;
        EXPECT_EQ(detail::nameOf(*target), row.name);
        EXPECT_EQ(target->isStrict(), row.isStrict) << row.words;
    }
    EXPECT_EQ(targetNamed("opencl:1.2").target->number(), 1002);
    EXPECT_EQ(detail::nameOf(gpu.number(2)), "gpu:2");
    EXPECT_EQ(detail::nameOf(threads.count(100000)), "threads:4096");
    EXPECT_EQ(detail::nameOf(threads.count(-1)), "threads");
    EXPECT_EQ(detail::nameOf(devices.schedule(fixed)), "devices");
    EXPECT_EQ(detail::nameOf(devices.schedule(guided)), "devices:guided");
    EXPECT_EQ(detail::nameOf(devices.tuned(grow)), "devices:grow");
    EXPECT_EQ(detail::nameOf(devices.tuned(shrink)), "devices:shrink");
    EXPECT_EQ(detail::nameOf(devices.schedule(dynamic(64))), "devices:dynamic:64");
}

TEST(Targets, NoNames) {
    const std::string all =
        " is no target: sequential, threads, gpu, cuda, opencl, check, devices, automatic; with "
        "'!' without fallback";
    const std::string ofDevices =
        ": the share of GPUs is 0 to 100 percent, as in devices:85, or measured: devices:measured, "
        "devices:grow, devices:shrink; or rows are dealt out: devices:guided, devices:dynamic:64 "
        "in "
        "chunks of 1 to 1000000, devices:fixed";
    const struct {
        const char* words;
        std::string problem;
    } rows[] = {
        {"", "''" + all},
        {"!", "'!'" + all},
        {"gpus", "'gpus'" + all},
        {"Threads", "'Threads'" + all},
        {"threads 4", "'threads 4'" + all},
        {"gpu!!", "'gpu!!'" + all},
        {":1", "':1'" + all},
        {"sequential:2", "'sequential:2': 'sequential' takes no number"},
        {"check:1!", "'check:1!': 'check' takes no number"},
        {"automatic:", "'automatic:': 'automatic' takes no number"},
        {"threads:0", "'threads:0': threads are 1 to 4096, as in threads:4"},
        {"threads:-1", "'threads:-1': threads are 1 to 4096, as in threads:4"},
        {"threads:4x", "'threads:4x': threads are 1 to 4096, as in threads:4"},
        {"threads:4097", "'threads:4097': threads are 1 to 4096, as in threads:4"},
        {"threads:9999999999", "'threads:9999999999': threads are 1 to 4096, as in threads:4"},
        {"cuda:", "'cuda:': devices have the numbers 0 to 999, as in cuda:0"},
        {"devices:101", "'devices:101'" + ofDevices},
        {"devices:dynamic", "'devices:dynamic'" + ofDevices},
        {"devices:dynamic:0", "'devices:dynamic:0'" + ofDevices},
        {"devices:dynamic:1000001!", "'devices:dynamic:1000001!'" + ofDevices},
        {"devices:growing", "'devices:growing'" + ofDevices},
        {"devices:guided:8", "'devices:guided:8'" + ofDevices},
        {"cuda:x", "'cuda:x': devices have the numbers 0 to 999, as in cuda:0"},
        {"gpu:1.2", "'gpu:1.2': devices have the numbers 0 to 999, as in gpu:0"},
        {"opencl:1", "'opencl:1': a device of OpenCL is platform.device, as in opencl:0.0"},
        {"opencl:1.", "'opencl:1.': a device of OpenCL is platform.device, as in opencl:0.0"},
        {"opencl:0.1000",
         "'opencl:0.1000': a device of OpenCL is platform.device, as in opencl:0.0"}};
    for (const auto& row : rows) {
        EXPECT_FALSE(targetNamed(row.words).target) << row.words;
        EXPECT_EQ(targetNamed(row.words).problem, row.problem);
    }
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
        "deal:devices:dynamic:64!\n"
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
    EXPECT_EQ(targetAt(rules, "x.hpcpp", 1, "deal"), "devices:dynamic:64");
    const Rules qualified = Rules::parsed("Sor::relax:gpu\na::f : threads:2\n", "rules");
    EXPECT_EQ(targetAt(qualified, "x.hpcpp", 1, "Sor::relax"), "gpu");
    EXPECT_EQ(targetAt(qualified, "x.hpcpp", 1, "n::Sor::relax"), "gpu");
    EXPECT_EQ(targetAt(qualified, "x.hpcpp", 1, "relax"), "none");
    EXPECT_EQ(targetAt(qualified, "x.hpcpp", 1, "MySor::relax"), "none");
    EXPECT_EQ(targetAt(qualified, "x.hpcpp", 1, "Sor::relax::Local::f"), "none");
    EXPECT_EQ(targetAt(qualified, "x.hpcpp", 1, "a::f"), "threads:2");
    EXPECT_EQ(targetAt(Rules::parsed("f:gpu", "rules"), "x.hpcpp", 1, "a::f"), "gpu");
    EXPECT_EQ(targetAt(Rules::parsed("gpu::f:cuda:1", "rules"), "x.hpcpp", 1, "gpu::f"), "cuda:1");
    EXPECT_EQ(targetAt(Rules::parsed("f:gpu", "rules"), "x.hpcpp", 1, "a::ff"), "none");
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
    const On on(Target{detail::TargetKind::Check});
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
    const struct {
        const char* text;
        const char* problem;
    } rows[] = {{"relax:gpu\nrelax:gpuu\n", "my.rules:2: 'relax:gpuu' is no rule: pattern:target"},
                {"# one\n\n  sweep = gpu\n", "my.rules:3: 'sweep = gpu' is no rule"},
                {"threads", "my.rules:1: 'threads' is no rule"},
                {"relax:", "my.rules:1: 'relax:' is no rule"},
                {"relax:cuda:x", "my.rules:1: 'cuda:x': devices have the numbers 0 to 999"},
                {"relax:threads:0", "my.rules:1: 'threads:0': threads are 1 to 4096"},
                {"sor.hpcpp:7:check:1", "my.rules:1: 'check:1': 'check' takes no number"},
                {":gpu", "my.rules:1: '' is neither"},
                {"sor.hpcpp:gpu", "'sor.hpcpp' is neither file:line nor the name of a function"},
                {"sor.hpcpp:x:gpu", "'sor.hpcpp:x' is neither"},
                {"sor.hpcpp:-1:gpu", "'sor.hpcpp:-1' is neither"},
                {"::relax:gpu", "'::relax' is neither"},
                {"Sor:::relax:gpu", "'Sor:::relax' is neither"},
                {"Sor::1:gpu", "'Sor::1' is neither"},
                {"Sor::relax::gpu", "'Sor::relax:' is neither"},
                {"a b:gpu", "'a b' is neither"},
                {"7up:gpu", "'7up' is neither"}};
    for (const auto& row : rows)
        EXPECT_NE(problemOf(row.text).find(row.problem), std::string::npos)
            << problemOf(row.text) << " for " << row.problem;
}

}  // namespace
}  // namespace hpspmd::test
