// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: the product of two matrices with rows split over MPI processes, or on one. KERNEL is
// plain.hpp, rows.hpp or best.hpp. No communication.
#include "../split.hpp"
#include KERNEL

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const auto [n, rounds] = bench::arguments(argc, argv, 150, 20);
    const bench::Part part = split.part(n);
    const bench::Storage c = bench::zeros(part.count * n), a = bench::zeros(part.count * n);
    const bench::Storage b = bench::zeros(n * n);
    for (long i = 0; i < part.count; ++i)
        for (long k = 0; k < n; ++k) a.get()[i * n + k] = double((i + part.first + 2 * k) % 7);
    for (long k = 0; k < n; ++k)
        for (long j = 0; j < n; ++j) b.get()[k * n + j] = double((3 * k + j) % 5);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    for (long round = 0; round < rounds; ++round)
        multiply(c.get(), a.get(), b.get(), part.count, n);
    const double elapsed = bench::seconds() - start;

    double sum = 0;
    for (long e = 0; e < part.count * n; ++e) sum += c.get()[e] * c.get()[e];
    split.report(elapsed / double(rounds), sum);
}
