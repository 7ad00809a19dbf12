// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: red-black relaxation on one process. KERNEL is plain.hpp, rows.hpp or best.hpp.
#include "../bench.hpp"
#include KERNEL

int main(int argc, char** argv) {
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);
    const bench::Storage storage = bench::zeros(n * n);
    double* const a = storage.get();
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j)
            if (i == 0 || i == n - 1 || j == 0 || j == n - 1) a[i * n + j] = double(i * i - j * j);

    const double start = bench::seconds();
    for (long it = 0; it < sweeps; ++it) relax(a, n, 1, n - 2, 0, it);
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < n * n; ++e) sum += a[e] * a[e];
    bench::report(elapsed / double(sweeps), sum);
}
