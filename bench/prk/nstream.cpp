// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: the vectors by hand; each MPI process has its part of them.
#include <cmath>

#include "../split.hpp"
#include "prk.hpp"

static void triad(double* __restrict a, const double* __restrict b, const double* __restrict c,
                  long count) {
    for (long i = 0; i < count; ++i) a[i] += b[i] + 3.0 * c[i];
}

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const long iterations = prk::argument(argc, argv, 1, 10);
    const long length = prk::argument(argc, argv, 2, 1000000);
    const long count = split.part(length).count;
    const bench::Storage a = bench::zeros(count), b = bench::zeros(count), c = bench::zeros(count);
    for (long i = 0; i < count; ++i) b.get()[i] = c.get()[i] = 2.0;

    double start = 0;
    for (long it = 0; it <= iterations; ++it) {  // the first is not counted
        if (it == 1) start = bench::seconds();
        triad(a.get(), b.get(), c.get(), count);
    }
    const double seconds = split.reduced(bench::seconds() - start, MPI_MAX);

    double mine = 0;
    for (long i = 0; i < count; ++i) mine += std::fabs(a.get()[i]);
    const double expected = 8.0 * double(iterations + 1) * double(length);
    const double sum = split.reduced(mine, MPI_SUM);
    prk::report(split.rank == 0, std::fabs(expected - sum) / sum <= 1e-8,
                4.0 * sizeof(double) * double(length), "B", seconds / double(iterations));
}
