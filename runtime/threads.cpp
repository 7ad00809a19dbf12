#include "threads.hpp"

#include <hpspmd/mpi.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

// Null in programs that are not linked with OpenMP.
extern "C" {
[[gnu::weak]] int omp_get_max_threads();             // NOLINT(readability-identifier-naming)
[[gnu::weak]] int omp_get_num_procs();               // NOLINT(readability-identifier-naming)
[[gnu::weak]] void omp_set_num_threads(int number);  // NOLINT(readability-identifier-naming)
}

namespace hpspmd::detail {
namespace {

bool hasOpenMp() {
    return omp_get_max_threads != nullptr && omp_get_num_procs != nullptr &&
           omp_set_num_threads != nullptr;
}

bool mpiAllowsThreads() {
    int level = MPI_THREAD_SINGLE;
    checkMpi(MPI_Query_thread(&level), "MPI_Query_thread");
    return level >= MPI_THREAD_FUNNELED;
}

/// OpenMP's default is a thread for each core of the process.
bool isChosenAlready() {
    const char* const wanted = std::getenv("OMP_NUM_THREADS");
    return (wanted != nullptr && *wanted != 0) || omp_get_max_threads() != omp_get_num_procs();
}

}  // namespace

int coresOfOpenMp() { return hasOpenMp() ? omp_get_num_procs() : 0; }

int chooseThreads(const Cores& cores) {
    const bool isAllowed = mpiAllowsThreads();
    if (!hasOpenMp()) return 1;
    if (!isAllowed)
        omp_set_num_threads(1);
    else if (!isChosenAlready())
        omp_set_num_threads(std::max(1, std::min(cores.own, cores.all / cores.processes)));
    return omp_get_max_threads();
}

void logThreads(const Cores& cores, int threads, MPI_Comm node) {
    const char* const wanted = std::getenv("HPSPMD_LOG");
    int place = 0;
    checkMpi(MPI_Comm_rank(node, &place), "MPI_Comm_rank");
    if (wanted == nullptr || *wanted == 0 || place != 0 || !hasOpenMp()) return;
    std::fprintf(stderr,
                 "hpspmd: threads of each process: %d; on this node, processes: %d, cores: %d\n",
                 threads, cores.processes, cores.all);
}

}  // namespace hpspmd::detail
