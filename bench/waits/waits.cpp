// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long collectives take where processes must wait for their cores: a halo of one row, the
// largest of one number each, a remap and a transpose in which all exchange with all, a gather of
// elements of all others. Each is repeated for the given time (default 0.3 s); prints the median of
// five, in microseconds.
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../latency.hpp"

namespace {

constexpr int rounds = 5;

// MPI keeps the cores busy while it waits, which is not to be measured here: the library's own
// collectives begin and end each series.
template <class Operation>
double timeOf(int repeats, const Operation& operation) {
    hpspmd::Adlib::sum(0);
    const double start = bench::seconds();
    for (int k = 0; k < repeats; ++k) operation();
    return hpspmd::Adlib::maxval((bench::seconds() - start) / repeats);
}

// The median of series that are as long as the time allows.
template <class Operation>
double timeWithin(double limit, const Operation& operation) {
    const double first = timeOf(4, operation);
    const int repeats = static_cast<int>(std::clamp(limit / rounds / first, 4.0, 50'000.0));
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) times.push_back(timeOf(repeats, operation));
    return bench::median(times);
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
    const double halo = timeWithin(limit, [&] {
        Adlib::writeHalo(a, {1, 0}, {1, 0}, {Adlib::Cyclic, Adlib::Cyclic});
    });
    const double sum = timeWithin(limit, [&] { value = Adlib::maxval(value); });
    const double remap = timeWithin(limit, [&] { Adlib::remap(columns, rows); });
    const double transpose = timeWithin(limit, [&] { Adlib::transpose(turned, rows, {1, 0}); });
    const double gathered = timeWithin(limit, [&] { gather.execute(); });
    if (p.rank() == 0)
        std::printf("writeHalo %.2f, maxval %.2f, remap %.2f, transpose %.2f, gather %.2f us\n",
                    halo * 1e6, sum * 1e6, remap * 1e6, transpose * 1e6, gathered * 1e6);
}
