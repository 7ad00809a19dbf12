// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: the kernel of Q3 with the examinees split over MPI processes, or on one. KERNEL is
// plain.hpp, rows.hpp or best.hpp.
#include "../split.hpp"
#include "model.hpp"
#include KERNEL

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const auto [examinees, rounds] = bench::arguments(argc, argv, 2551, 20);
    const long items = 75;
    const bench::Part part = split.part(examinees);
    const bench::Storage diff = bench::zeros(part.count * items + 64);
    const bench::Storage sums = bench::zeros(items * items);
    for (long k = 0; k < part.count; ++k)
        for (long j = 0; j < items; ++j)
            diff.get()[k * items + j] = residual(part.first + k, j, items);

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = bench::seconds();
    for (long round = 0; round < rounds; ++round) {
        sumProducts(sums.get(), diff.get(), part.count, items);
        if (split.size > 1)
            MPI_Allreduce(MPI_IN_PLACE, sums.get(), int(items * items), MPI_DOUBLE, MPI_SUM,
                          MPI_COMM_WORLD);
    }
    const double elapsed = bench::seconds() - start;

    double answer = 0;
    for (long e = 0; e < items * items; ++e) answer += sums.get()[e] * sums.get()[e];
    split.report(elapsed / double(rounds), split.rank == 0 ? answer : 0);
}
