// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: red-black relaxation with rows split over MPI processes by hand. KERNEL is plain.hpp,
// rows.hpp or best.hpp.
#include <algorithm>

#include "../split.hpp"
#include KERNEL

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    const bench::Part part = split.part(n);
    const bench::Storage storage = bench::zeros((part.count + 2) * n);
    double* const a = storage.get() + n;  // behind a ghost row
    for (long i = 0; i < part.count; ++i)
        for (long j = 0; j < n; ++j) {
            const long g = i + part.first;
            if (g == 0 || g == n - 1 || j == 0 || j == n - 1) a[i * n + j] = double(g * g - j * j);
        }
    const long low = std::max(1 - part.first, 0L),
               high = std::min(n - 2 - part.first, part.count - 1);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    for (long it = 0; it < sweeps; ++it) {
        split.exchange(a, part.count, n);
        relax(a, n, low, high, part.first, it);
    }
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < part.count * n; ++e) sum += a[e] * a[e];
    split.report(elapsed / double(sweeps), sum);
}
