// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: the wavefront by hand, with columns split over MPI processes and one number sent on per
// row.
#include <cmath>

#include "../split.hpp"
#include "prk.hpp"

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const long iterations = prk::argument(argc, argv, 1, 10);
    const long m = prk::argument(argc, argv, 2, 1000), n = prk::argument(argc, argv, 3, m);
    const bench::Part part = split.part(n);
    const long pitch = part.count + 1;  // the left neighbour's last column, then the own ones
    const bench::Storage storage = bench::zeros(m * pitch);
    double* const a = storage.get();
    const bool isFirst = split.rank == 0, hasLast = part.first + part.count == n && part.count > 0;
    for (long j = 0; j < part.count; ++j) a[1 + j] = double(part.first + j);
    if (!isFirst) a[0] = double(part.first - 1);
    if (isFirst)
        for (long i = 0; i < m; ++i) a[i * pitch + 1] = double(i);

    double start = 0;
    for (long it = 0; it <= iterations; ++it) {  // the first is not counted
        if (it == 1) start = bench::seconds();
        for (long i = 1; i < m; ++i) {
            double *const row = a + i * pitch, *const up = row - pitch;
            if (split.above != MPI_PROC_NULL)
                MPI_Recv(row, 1, MPI_DOUBLE, split.above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            const long begin = isFirst ? 2 : 1;
            double left = row[begin - 1], upLeft = up[begin - 1];
            for (long j = begin; j <= part.count; ++j) {
                left += up[j] - upLeft;
                row[j] = left;
                upLeft = up[j];
            }
            if (split.below != MPI_PROC_NULL)
                MPI_Send(row + part.count, 1, MPI_DOUBLE, split.below, 0, MPI_COMM_WORLD);
        }
        double corner = hasLast ? a[(m - 1) * pitch + part.count] : 0.0;
        corner = split.reduced(corner, MPI_SUM);
        if (isFirst) a[1] = -corner;
        // The second process has the corner as the neighbour of its first column.
        if (!isFirst && part.first == 1) a[0] = -corner;
    }
    const double seconds = split.reduced(bench::seconds() - start, MPI_MAX);

    const double corner = split.reduced(hasLast ? a[(m - 1) * pitch + part.count] : 0.0, MPI_SUM);
    const double expected = double(iterations + 1) * double(m + n - 2);
    prk::report(split.rank == 0, std::fabs(corner - expected) / expected <= 1e-8,
                2.0 * double(m - 1) * double(n - 1), "Flop", seconds / double(iterations));
}
