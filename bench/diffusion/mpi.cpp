// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: explicit 3-D diffusion with planes split over MPI processes by hand; a ghost plane on
// either side is filled by one message per neighbour and step. KERNEL as in sequential.cpp.
#include <algorithm>

#include "../split.hpp"
#include KERNEL

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const auto [n, steps] = bench::arguments(argc, argv, 64, 200);
    const long row = isAligned ? (n + 7) / 8 * 8 : n, plane = n * row, lead = isAligned ? 7 : 0;
    const bench::Part part = split.part(n);
    const bench::Storage first = bench::zeros((part.count + 2) * plane + 8);
    const bench::Storage second = bench::zeros((part.count + 2) * plane + 8);
    double *from = first.get() + lead + plane, *to = second.get() + lead + plane;
    const long centre = n / 2 - part.first, middle = centre * plane + n / 2 * (row + 1);
    if (centre >= 0 && centre < part.count) from[middle] = to[middle] = 1000.0;
    const long low = std::max(1 - part.first, 0L),
               high = std::min(n - 2 - part.first, part.count - 1);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    for (long step = 0; step < steps; ++step) {
        split.exchange(from, part.count, plane);
        diffuse(to, from, n, row, plane, low, high);
        std::swap(from, to);
    }
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < part.count * plane; ++e) sum += from[e] * from[e];
    split.report(elapsed / double(steps), sum);
}
