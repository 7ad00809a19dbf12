// Rival: red-black relaxation written by hand with MPI. The rows are split over the processes, each
// block has a ghost row on either side, and one message per neighbour and sweep fills them.
#include <mpi.h>

#include <algorithm>

#include "../bench.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const auto [n, sweeps] = bench::arguments(argc, argv, 512, 1000);

    const long block = (n + size - 1) / size;
    const long first = std::min(n, rank * block), rows = std::min(n, first + block) - first;
    const int above = rank > 0 && rows > 0 ? rank - 1 : MPI_PROC_NULL;
    const int below = first + rows < n && rows > 0 ? rank + 1 : MPI_PROC_NULL;
    std::vector<double> storage((rows + 2) * n, 0.0);
    double* const a = storage.data() + n;  // a[-n] and a[rows * n] are the ghost rows
    for (long r = 0; r < rows; ++r)
        for (long j = 0; j < n; ++j) {
            const long i = first + r;
            if (i == 0 || i == n - 1 || j == 0 || j == n - 1) a[r * n + j] = double(i * i - j * j);
        }

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long it = 0; it < sweeps; ++it) {
        MPI_Request requests[4];
        MPI_Irecv(a - n, int(n), MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(a + rows * n, int(n), MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(a + (rows - 1) * n, int(n), MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(a, int(n), MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        const long low = std::max(1L - first, 0L), high = std::min(n - 2 - first, rows - 1);
        for (long r = low; r <= high; ++r)
            for (long j = 1 + (first + r + it) % 2; j <= n - 2; j += 2)
                a[r * n + j] = 0.25 * (a[(r - 1) * n + j] + a[(r + 1) * n + j] + a[r * n + j - 1] +
                                       a[r * n + j + 1]);
    }
    double elapsed = MPI_Wtime() - start, slowest = 0;
    MPI_Reduce(&elapsed, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

    double mine = 0, sum = 0;
    for (long k = 0; k < rows * n; ++k) mine += a[k] * a[k];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) bench::report(slowest / sweeps, sum);
    MPI_Finalize();
}
