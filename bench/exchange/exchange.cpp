// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the library adds to communication: in one program, in turns, a hand-written MPI exchange of
// ghost rows beside Adlib::writeHalo, and MPI_Allreduce of one number beside Adlib::maxval. Prints
// the medians in microseconds, and how long a cache line takes from one core to another at the
// time, which varies on virtual machines.
#include <hpspmd/mpi.hpp>
#include <hpspmd>

#include "../latency.hpp"
#include "../split.hpp"

namespace {

using bench::Latency;
using bench::median;
using bench::timeOf;
constexpr int rounds = 41, repeats = 200;

void measure(long n) {
    using namespace hpspmd;
    const Procs1 p;
    const ExtBlockRange x(n, p.dim(0), 1, 1);
    const auto a = create<double>(p, x, n);
    const Block own = x.localBlock();
    const int rank = p.rank(), size = p.size();
    const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double* const lines = a.data() + a.stride(0) * own.localBase;
    Latency latency;
    std::vector<double> latencies, rows, halos, reductions, sums;
    for (int round = 0; round < rounds; ++round) {
        if (size > 1) latencies.push_back(timeOf(repeats, latency) / 2);
        rows.push_back(timeOf(
            repeats, [&] { bench::exchangeLines(lines, own.count, a.stride(0), above, below); }));
        halos.push_back(timeOf(repeats, [&] { Adlib::writeHalo(a); }));
        double value = rank;
        reductions.push_back(timeOf(repeats, [&] {
            MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }));
        sums.push_back(timeOf(repeats, [&] { value = Adlib::maxval(value); }));
    }
    if (rank != 0) return;
    std::printf("%ld x %ld, %d processes: ", n, n, size);
    if (size > 1) std::printf("cache line %.3f, ", median(latencies) * 1e6);
    std::printf("rows by hand %.3f, writeHalo %.3f, MPI_Allreduce %.3f, maxval %.3f us\n",
                median(rows) * 1e6, median(halos) * 1e6, median(reductions) * 1e6,
                median(sums) * 1e6);
}

}  // namespace

int main(int argc, char** argv) { measure(bench::arguments(argc, argv, 512, 0).first); }
