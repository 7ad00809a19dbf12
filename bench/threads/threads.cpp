// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From how many steps on a nest is worth several threads: a stencil over rows by one thread, and by
// all that OpenMP gives; the least of many times, in microseconds.
//
// usage: OMP_NUM_THREADS=n threads
#define HPSPMD_LEAST_WORK(threads) 0
#include <hpspmd>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../bench.hpp"

using namespace hpspmd;

namespace {

double sweep(std::vector<double>& b, const std::vector<double>& a, const detail::Run& rows,
             Index width, bool isDivided) {
    const double start = bench::seconds();
    detail::inThreads(
        detail::Work(rows, width).onlyIf(isDivided),
        [&](const auto& own, const auto& columns) {
            double* const to = b.data();
            const double* const from = a.data();
            for (Index i = own.first; i <= own.last; ++i) HPSPMD_INDEPENDENT(j)
            for (Index j = 1; j < columns - 1; ++j)
                to[i * columns + j] = 0.5 * (from[i * columns + j - 1] + from[i * columns + j + 1]);
        },
        rows, width);
    return bench::seconds() - start;
}

}  // namespace

int main() {
    const Procs0 alone;  // starts MPI, and chooses the number of threads
    const Index height = 4 * omp_get_max_threads();
    std::printf("%8s %10s %7d threads\n", "steps", "1 thread", omp_get_max_threads());
    for (Index width = 8; width * height <= 1 << 20; width *= 2) {
        const detail::Run rows(CollapsedRange{height});
        std::vector<double> a(static_cast<std::size_t>(height * width), 1.0), b(a);
        double least[2] = {1, 1};
        for (int round = 0; round < 2000; ++round)
            for (const bool isDivided : {false, true})
                least[isDivided] = std::min(least[isDivided], sweep(b, a, rows, width, isDivided));
        std::printf("%8td %10.2f %10.2f\n", height * width, least[0] * 1e6, least[1] * 1e6);
    }
}
