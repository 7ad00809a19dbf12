// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Megabytes in a second of the cyclic array of files.hpcpp, written by the collective H5Dwrite of
// parallel HDF5: collective_hdf5 FOLDER [ROWS] [TIMES]. With Debian's libhdf5-mpich-dev:
//   mpicxx.mpich -O2 -I/usr/include/hdf5/mpich bench/files/collective_hdf5.cpp
//   -L/usr/lib/x86_64-linux-gnu/hdf5/mpich -lhdf5
#include <hdf5.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Pair = std::array<hsize_t, 2>;

/// Rows and columns crd, crd + P, crd + 2 P .. of the file are those of this process.
struct Cyclic {
    Pair extent, first, step, count;
};

Cyclic dealtOut(hsize_t rows) {
    int size = 0, rank = 0;
    std::array<int, 2> grid = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(size, 2, grid.data());
    Cyclic part{{rows, rows + 1}, {}, {}, {}};
    for (int r : {0, 1}) {
        part.first[r] = r == 0 ? rank / grid[1] : rank % grid[1];
        part.step[r] = grid[r];
        part.count[r] = (part.extent[r] - part.first[r] + grid[r] - 1) / grid[r];
    }
    return part;
}

void write(const std::string& file, const Cyclic& part, const std::vector<double>& elements) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    const hid_t handle = H5Fcreate((file + ".tmp").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const hid_t all = H5Screate_simple(2, part.extent.data(), nullptr),
                own = H5Screate_simple(2, part.count.data(), nullptr);
    const hid_t data =
        H5Dcreate2(handle, "data", H5T_NATIVE_DOUBLE, all, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(all, H5S_SELECT_SET, part.first.data(), part.step.data(), part.count.data(),
                        nullptr);
    if (H5Dwrite(data, H5T_NATIVE_DOUBLE, own, all, transfer, elements.data()) < 0) std::exit(1);
    H5Dclose(data);
    H5Sclose(own);
    H5Sclose(all);
    H5Fclose(handle);
    H5Pclose(transfer);
    H5Pclose(access);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::rename((file + ".tmp").c_str(), file.c_str());
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const std::string file = std::string(argc > 1 ? argv[1] : ".") + "/collective.h5";
    const Cyclic part = dealtOut(argc > 2 ? std::atoll(argv[2]) : 4096);
    const int times = argc > 3 ? std::atoi(argv[3]) : 5;
    std::vector<double> elements(part.count[0] * part.count[1]);
    for (hsize_t i = 0; i < part.count[0]; ++i)
        for (hsize_t j = 0; j < part.count[1]; ++j)
            elements[i * part.count[1] + j] = static_cast<double>(part.first[0] + i * part.step[0] +
                                                                  part.first[1] + j * part.step[1]);
    std::vector<double> seconds(times);
    for (double& taken : seconds) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        write(file, part, elements);
        taken = MPI_Wtime() - start;
        MPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    std::sort(seconds.begin(), seconds.end());
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double bytes = 8.0 * static_cast<double>(part.extent[0] * part.extent[1]);
    if (rank == 0) {
        std::printf("collective H5Dwrite, cyclic     best %6.0f MB/s (%.3f s), median %6.0f MB/s\n",
                    bytes / seconds.front() / 1e6, seconds.front(),
                    bytes / seconds[times / 2] / 1e6);
        std::remove(file.c_str());
    }
    MPI_Finalize();
}
