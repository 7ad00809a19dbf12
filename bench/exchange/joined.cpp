// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange of ghost rows and a reduction by Adlib alone, so that it runs under mpiexec and
// without MPI (joined.py): medians in microseconds.
#include <hpspmd>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../bench.hpp"

namespace {

using namespace hpspmd;

template <class Function>
double timeOf(const Function& f) {
    constexpr int rounds = 41, repeats = 400;
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        Adlib::maxval(0);  // all begin together
        const double start = bench::seconds();
        for (int k = 0; k < repeats; ++k) f();
        times.push_back(Adlib::maxval(bench::seconds() - start) / repeats * 1e6);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    const Index n = bench::arguments(argc, argv, 512, 0).first;
    const Procs1 p;
    const ExtBlockRange x(n, p.dim(0), 1, 1);
    const auto a = create<double>(p, x, n);
    double value = p.rank();
    const double halo = timeOf([&] { Adlib::writeHalo(a); }),
                 largest = timeOf([&] { value = Adlib::maxval(value); }),
                 sum = timeOf([&] { value = Adlib::sum(value) / p.size(); }),
                 all = timeOf([&] { value += Adlib::sum(a); });
    if (p.rank() == 0)
        std::printf(
            "%ld x %ld, %d processes: writeHalo %.3f, maxval %.3f, sum %.3f, sum of all elements "
            "%.3f us\n",
            long(n), long(n), int(p.size()), halo, largest, sum, all);
}
