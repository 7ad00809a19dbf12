// Rival: explicit 3-D diffusion written by hand with MPI. The leading dimension is split over the
// processes; a ghost plane on either side is filled by one message per neighbour and step.
#include <mpi.h>

#include <algorithm>

#include "../bench.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const auto [n, steps] = bench::arguments(argc, argv, 64, 200);
    const long row = n, plane = n * n;

    const long block = (n + size - 1) / size;
    const long first = std::min(n, rank * block), planes = std::min(n, first + block) - first;
    const int above = rank > 0 && planes > 0 ? rank - 1 : MPI_PROC_NULL;
    const int below = first + planes < n && planes > 0 ? rank + 1 : MPI_PROC_NULL;
    std::vector<double> u((planes + 2) * plane, 0.0), v((planes + 2) * plane, 0.0);
    double *from = u.data() + plane, *to = v.data() + plane;
    const long centre = n / 2 - first;
    if (centre >= 0 && centre < planes)
        from[centre * plane + n / 2 * row + n / 2] = to[centre * plane + n / 2 * row + n / 2] =
            1000.0;
    const double c = 0.1;

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long step = 0; step < steps; ++step) {
        MPI_Request requests[4];
        const int count = int(plane);
        MPI_Irecv(from - plane, count, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(from + planes * plane, count, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(from + (planes - 1) * plane, count, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                  &requests[2]);
        MPI_Isend(from, count, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        const long low = std::max(1L - first, 0L), high = std::min(n - 2 - first, planes - 1);
        for (long i = low; i <= high; ++i)
            for (long j = 1; j < n - 1; ++j)
                for (long k = 1; k < n - 1; ++k) {
                    const long e = i * plane + j * row + k;
                    to[e] =
                        from[e] + c * (from[e - plane] + from[e + plane] + from[e - row] +
                                       from[e + row] + from[e - 1] + from[e + 1] - 6.0 * from[e]);
                }
        std::swap(from, to);
    }
    double elapsed = MPI_Wtime() - start, slowest = 0;
    MPI_Reduce(&elapsed, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

    double mine = 0, sum = 0;
    for (long e = 0; e < planes * plane; ++e) mine += from[e] * from[e];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) bench::report(slowest / steps, sum);
    MPI_Finalize();
}
