// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rivals share that split an array over MPI processes by hand.
#pragma once
#include <mpi.h>

#include "bench.hpp"

namespace bench {

/// The outermost `width` of the neighbours' lines into the ghost lines before and behind the
/// process's own `count`, `pitch` apart; `above` and `below` may be MPI_PROC_NULL.
inline void exchangeLines(double* lines, long count, long pitch, int above, int below,
                          long width = 1) {
    MPI_Request requests[4];
    const int n = int(width * pitch);
    MPI_Irecv(lines - n, n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(lines + count * pitch, n, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(lines + count * pitch - n, n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(lines, n, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

/// MPI for the time of the program; the lines of an array that this process holds, and those who
/// hold the neighbouring ones.
struct Split {
    Split(int& argc, char**& argv) {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    ~Split() { MPI_Finalize(); }
    Split(const Split&) = delete;
    Split& operator=(const Split&) = delete;

    Part part(long n) {
        const Part mine(n, rank, size);
        above = rank > 0 && mine.count > 0 ? rank - 1 : MPI_PROC_NULL;
        below = mine.first + mine.count < n && mine.count > 0 ? rank + 1 : MPI_PROC_NULL;
        return mine;
    }

    void exchange(double* lines, long count, long pitch, long width = 1) const {
        exchangeLines(lines, count, pitch, above, below, width);
    }

    double reduced(double mine, MPI_Op operation) const {
        double result = 0;
        MPI_Allreduce(&mine, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
        return result;
    }

    /// Process 0 tells the slowest one's time, and the sum of all answers.
    void report(double secondsPerIteration, double answer) const {
        const double slowest = reduced(secondsPerIteration, MPI_MAX),
                     sum = reduced(answer, MPI_SUM);
        if (rank == 0) bench::report(slowest, sum);
    }

    int rank = 0, size = 1, above = MPI_PROC_NULL, below = MPI_PROC_NULL;
};

}  // namespace bench
