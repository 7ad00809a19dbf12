// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long collectives take where processes must wait for their cores: a halo of one row, the
// largest of one number each, a remap and a transpose in which all exchange with all, a gather of
// elements of all others. Each is repeated for the given time (default 0.3 s); prints the median of
// five, in microseconds; and how often a process gave up its core, of its own will or not, and the
// processor time of all processes in microseconds, for each exchange.
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sys/resource.h>

#include "../latency.hpp"

namespace {

constexpr int rounds = 5;

// What a process has used, or all processes for one exchange.
struct Used {
    double slept = 0, preempted = 0, seconds = 0;

    static Used now() {
        rusage used{};
        getrusage(RUSAGE_SELF, &used);
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return {static_cast<double>(used.ru_nvcsw), static_cast<double>(used.ru_nivcsw),
                seconds(used.ru_utime) + seconds(used.ru_stime)};
    }
};

struct Cost {
    double seconds = 0;
    Used used;
};

// MPI keeps the cores busy while it waits, which is not to be measured here: the library's own
// collectives begin and end each series.
template <class Operation>
Cost costOf(int repeats, const Operation& operation) {
    using hpspmd::Adlib::sum;
    sum(0);
    const double start = bench::seconds();
    const Used before = Used::now();
    for (int k = 0; k < repeats; ++k) operation();
    const Used after = Used::now();
    const double seconds = (bench::seconds() - start) / repeats;
    return {hpspmd::Adlib::maxval(seconds),
            {sum((after.slept - before.slept) / repeats),
             sum((after.preempted - before.preempted) / repeats),
             sum((after.seconds - before.seconds) / repeats)}};
}

// That of the series with the median time, of series that are as long as the time allows.
template <class Operation>
Cost costWithin(double limit, const Operation& operation) {
    const double first = costOf(4, operation).seconds;
    const int repeats = static_cast<int>(std::clamp(limit / rounds / first, 4.0, 50'000.0));
    std::vector<Cost> costs;
    for (int round = 0; round < rounds; ++round) costs.push_back(costOf(repeats, operation));
    std::sort(costs.begin(), costs.end(),
              [](const Cost& a, const Cost& b) { return a.seconds < b.seconds; });
    return costs[rounds / 2];
}

void print(const char* operation, const Cost& cost) {
    std::printf("%s %.2f us (%.1f sleeps, %.1f preemptions, %.1f us of processors)\n", operation,
                cost.seconds * 1e6, cost.used.slept, cost.used.preempted, cost.used.seconds * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace hpspmd;
    const double limit = argc > 1 ? std::atof(argv[1]) : 0.3;
    const Procs1 p;
    const ExtBlockRange x(4 * p.size(), p.dim(0), 1, 1);
    const auto a = create<double>(p, x, 64);
    const BlockRange y(8 * p.size(), p.dim(0));
    const auto rows = create<double>(p, y, 8 * p.size());
    const auto columns = create<double>(p, 8 * p.size(), y);
    const auto turned = create<double>(p, y, 8 * p.size());
    const auto line = create<double>(p, y), far = create<double>(p, y);
    const auto places = create<long>(p, y);
    for (int k = 0; k < 8; ++k) places.data()[k] = (8 * p.rank() + k) * 7 % y.size();
    Adlib::Gather gather(line, far, places);
    double value = 1;
    const auto measure = [&](const char* name, const auto& operation) {
        const Cost cost = costWithin(limit, operation);
        if (p.rank() == 0) print(name, cost);
    };
    measure("writeHalo", [&] {
        Adlib::writeHalo(a, {1, 0}, {1, 0}, {Adlib::Cyclic, Adlib::Cyclic});
    });
    measure("maxval", [&] { value = Adlib::maxval(value); });
    measure("remap", [&] { Adlib::remap(columns, rows); });
    measure("transpose", [&] { Adlib::transpose(turned, rows, {1, 0}); });
    measure("gather", [&] { gather.execute(); });
}
