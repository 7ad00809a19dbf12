// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: the star by hand, with rows split over MPI processes and ghost rows exchanged by messages.
#include <algorithm>
#include <cmath>

#include "../split.hpp"
#include "prk.hpp"

namespace {

constexpr long radius = 2;

void addStar(double* __restrict out, const double* __restrict in, long pitch, long n) {
    const double near = 1.0 / (2.0 * 1 * radius), far = 1.0 / (2.0 * 2 * radius);
#pragma GCC ivdep
    for (long j = radius; j < n - radius; ++j)
        out[j] += near * (in[j + 1] - in[j - 1] + in[j + pitch] - in[j - pitch]) +
                  far * (in[j + 2] - in[j - 2] + in[j + 2 * pitch] - in[j - 2 * pitch]);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const long iterations = prk::argument(argc, argv, 1, 10),
               n = prk::argument(argc, argv, 2, 1000);
    const long pitch = (n + 7) / 8 * 8;  // rows begin at cache lines
    const bench::Part part = split.part(n);
    const bench::Storage first = bench::zeros((part.count + 2 * radius) * pitch);
    const bench::Storage second = bench::zeros((part.count + 2 * radius) * pitch);
    double *const in = first.get() + radius * pitch, *const out = second.get() + radius * pitch;
    for (long i = 0; i < part.count; ++i)
        for (long j = 0; j < n; ++j) in[i * pitch + j] = double(part.first + i + j);
    const long low = std::max(radius - part.first, 0L);
    const long high = std::min(n - radius - part.first, part.count);

    double start = 0;
    for (long it = 0; it <= iterations; ++it) {  // the first is not counted
        if (it == 1) start = bench::seconds();
        split.exchange(in, part.count, pitch, radius);
        for (long i = low; i < high; ++i) addStar(out + i * pitch, in + i * pitch, pitch, n);
        for (long i = 0; i < part.count; ++i)
            for (long j = 0; j < n; ++j) in[i * pitch + j] += 1.0;
    }
    const double seconds = split.reduced(bench::seconds() - start, MPI_MAX);

    double mine = 0;
    for (long k = 0; k < part.count * pitch; ++k) mine += std::fabs(out[k]);
    const double active = double(n - 2 * radius) * double(n - 2 * radius);
    const double norm = split.reduced(mine, MPI_SUM) / active;
    prk::report(split.rank == 0, std::fabs(norm - 2.0 * double(iterations + 1)) <= 1e-8,
                (2.0 * (4 * radius + 1) + 1) * active, "Flop", seconds / double(iterations));
}
