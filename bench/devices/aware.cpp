// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does this MPI take addresses on a GPU? Two processes, each with a GPU, send each other 64 numbers
// and 4 MB from there: prints what came, and microseconds of an exchange of 128 KB, a row of 16384
// doubles. An MPI that does not ends by a signal.
//
// mpicxx -O2 aware.cpp -I/usr/local/cuda/include -L/usr/local/cuda/lib64 -lcudart -o aware &&
// mpiexec -n 2 ./aware
#include <cuda_runtime.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, gpus = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cudaGetDeviceCount(&gpus);
    cudaSetDevice(rank % gpus);
    for (const int count : {64, 524288}) {
        std::vector<double> home(count, 1.5 + rank), back(count);
        double *own = nullptr, *other = nullptr;
        cudaMalloc(&own, count * sizeof(double));
        cudaMalloc(&other, count * sizeof(double));
        cudaMemcpy(own, home.data(), count * sizeof(double), cudaMemcpyHostToDevice);
        const auto exchange = [&](int n) {
            MPI_Sendrecv(own, n, MPI_DOUBLE, 1 - rank, 0, other, n, MPI_DOUBLE, 1 - rank, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        };
        exchange(count);
        cudaMemcpy(back.data(), other, count * sizeof(double), cudaMemcpyDeviceToHost);
        bool isRight = true;
        for (const double each : back) isRight = isRight && each == 2.5 - rank;
        double time = 0;
        if (count > 16384) {
            const auto start = std::chrono::steady_clock::now();
            for (int k = 0; k < 200; ++k) exchange(16384);
            time =
                std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                    .count() /
                200;
        }
        std::printf("process %d: %d numbers %s; a row %.1f us\n", rank, count,
                    isRight ? "right" : "WRONG", time);
        std::fflush(stdout);
    }
    MPI_Finalize();
}
