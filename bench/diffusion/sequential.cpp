// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: explicit 3-D diffusion, seven-point stencil, two arrays, on one process. KERNEL is
// plain.hpp, rows.hpp or best.hpp.
#include "../bench.hpp"
#include KERNEL

int main(int argc, char** argv) {
    const auto [n, steps] = bench::arguments(argc, argv, 64, 200);
    const long row = isAligned ? (n + 7) / 8 * 8 : n, plane = n * row, lead = isAligned ? 7 : 0;
    const bench::Storage first = bench::zeros(n * plane + 8), second = bench::zeros(n * plane + 8);
    double *from = first.get() + lead, *to = second.get() + lead;
    const long middle = n / 2 * (plane + row + 1);
    from[middle] = to[middle] = 1000.0;

    const double start = bench::seconds();
    for (long step = 0; step < steps; ++step) {
        diffuse(to, from, n, row, plane, 1, n - 2);
        std::swap(from, to);
    }
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < n * plane; ++e) sum += from[e] * from[e];
    bench::report(elapsed / double(steps), sum);
}
