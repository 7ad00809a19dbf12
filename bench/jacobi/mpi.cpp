// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: Jacobi relaxation with rows split over MPI processes by hand, and the largest change of
// all in each sweep. KERNEL as in sequential.cpp.
#include <algorithm>

#include "../split.hpp"
#include KERNEL

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    const long pitch = isAligned ? (n + 7) / 8 * 8 : n, lead = isAligned ? 7 : 0;
    const bench::Part part = split.part(n);
    const bench::Storage first = bench::zeros((part.count + 2) * pitch + 8);
    const bench::Storage second = bench::zeros((part.count + 2) * pitch + 8);
    double *from = first.get() + lead + pitch, *to = second.get() + lead + pitch;
    if (part.first == 0 && part.count > 0)
        for (long j = 0; j < n; ++j) from[j] = to[j] = 100.0;
    const long low = std::max(1 - part.first, 0L),
               high = std::min(n - 2 - part.first, part.count - 1);

    double changes = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    for (long it = 0; it < sweeps; ++it) {
        split.exchange(from, part.count, pitch);
        changes += split.reduced(sweep(to, from, n, pitch, low, high), MPI_MAX);
        std::swap(from, to);
    }
    const double elapsed = bench::seconds() - start;

    double sum = split.rank == 0 ? changes : 0;
    for (long i = 0; i < part.count; ++i)
        for (long j = 0; j < n; ++j) sum += from[i * pitch + j] * from[i * pitch + j];
    split.report(elapsed / double(sweeps), sum);
}
