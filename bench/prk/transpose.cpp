// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rival: the transposition by hand, with rows split over MPI processes that read each other's from
// MPI-3 shared memory.
#include <algorithm>
#include <cmath>
#include <vector>

#include "../split.hpp"
#include "prk.hpp"

namespace {

constexpr long tile = 32;

/// The rows of all processes, each in the memory of its own.
std::vector<const double*> sharedRows(int size, long count, double*& own, MPI_Win& window) {
    MPI_Win_allocate_shared(count * long(sizeof(double)), sizeof(double), MPI_INFO_NULL,
                            MPI_COMM_WORLD, &own, &window);
    std::vector<const double*> rows;
    for (int q = 0; q < size; ++q) {
        MPI_Aint bytes = 0;
        int unit = 0;
        double* start = nullptr;
        MPI_Win_shared_query(window, q, &bytes, &unit, &start);
        rows.push_back(start);
    }
    return rows;
}

/// b[i][j] += a[j][i] for rows i of this process and columns j of another, whose rows `a` holds
/// from column i on.
void addTransposed(double* __restrict b, const double* __restrict a, long rows, long columns,
                   long n) {
    for (long ii = 0; ii < rows; ii += tile)
        for (long jj = 0; jj < columns; jj += tile)
            for (long i = ii; i < std::min(rows, ii + tile); ++i)
                for (long j = jj; j < std::min(columns, jj + tile); ++j)
                    b[i * n + j] += a[j * n + i];
}

}  // namespace

int main(int argc, char** argv) {
    bench::Split split(argc, argv);
    const long iterations = prk::argument(argc, argv, 1, 10),
               n = prk::argument(argc, argv, 2, 1000);
    const bench::Part part = split.part(n);
    double* a = nullptr;
    MPI_Win window;
    const auto rows = sharedRows(split.size, part.count * n, a, window);
    const bench::Storage storage = bench::zeros(part.count * n);
    double* const b = storage.get();
    for (long k = 0; k < part.count * n; ++k) a[k] = double(part.first * n + k);

    double start = 0;
    for (long it = 0; it <= iterations; ++it) {  // the first is not counted
        if (it == 1) start = bench::seconds();
        MPI_Barrier(MPI_COMM_WORLD);
        for (int q = 0; q < split.size; ++q) {
            const bench::Part other(n, q, split.size);
            addTransposed(b + other.first, rows[std::size_t(q)] + part.first, part.count,
                          other.count, n);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (long k = 0; k < part.count * n; ++k) a[k] += 1.0;
    }
    const double seconds = split.reduced(bench::seconds() - start, MPI_MAX);

    const double added = 0.5 * double(iterations) * double(iterations + 1);
    double error = 0;
    for (long i = 0; i < part.count; ++i)
        for (long j = 0; j < n; ++j)
            error += std::fabs(b[i * n + j] -
                               (double(n * j + part.first + i) * double(iterations + 1) + added));
    prk::report(split.rank == 0, split.reduced(error, MPI_SUM) < 1e-8,
                2.0 * sizeof(double) * double(n) * double(n), "B", seconds / double(iterations));
    MPI_Win_free(&window);
}
