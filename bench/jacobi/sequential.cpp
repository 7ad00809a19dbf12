// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: Jacobi relaxation of Laplace's equation with the largest change of each sweep, on one
// process. KERNEL is plain.hpp, rows.hpp or best.hpp.
#include "../bench.hpp"
#include KERNEL

int main(int argc, char** argv) {
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    const long pitch = isAligned ? (n + 7) / 8 * 8 : n, lead = isAligned ? 7 : 0;
    const bench::Storage first = bench::zeros(n * pitch + 8), second = bench::zeros(n * pitch + 8);
    double *from = first.get() + lead, *to = second.get() + lead;
    for (long j = 0; j < n; ++j) from[j] = to[j] = 100.0;

    double changes = 0;
    const double start = bench::seconds();
    for (long it = 0; it < sweeps; ++it) {
        changes += sweep(to, from, n, pitch, 1, n - 2);
        std::swap(from, to);
    }
    const double elapsed = bench::seconds() - start;

    double sum = changes;
    for (long e = 0; e < n * pitch; ++e) sum += from[e] * from[e];
    bench::report(elapsed / double(sweeps), sum);
}
