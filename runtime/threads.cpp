// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads.hpp"

#include "log.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <atomic>
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

std::atomic<bool> areAllowed{true};
int ownShare = 1;  // of the node's cores

bool hasOpenMp() {
    return omp_get_max_threads != nullptr && omp_get_num_procs != nullptr &&
           omp_set_num_threads != nullptr;
}

/// OpenMP's default is a thread for each core of the process.
bool isChosenAlready() {
    const char* const wanted = std::getenv("OMP_NUM_THREADS");
    return (wanted != nullptr && *wanted != 0) || omp_get_max_threads() != omp_get_num_procs();
}

}  // namespace

int coresOfOpenMp() { return hasOpenMp() ? omp_get_num_procs() : 0; }

int chooseThreads(const Cores& cores) {
    const bool isAllowed = jobTransport().allowsThreads();
    ownShare = std::max(1, std::min(cores.own, cores.all / cores.processCount()));
    if (!hasOpenMp()) return 1;
    if (!isAllowed) {
        useOneThread();
    } else if (!isChosenAlready()) {
        omp_set_num_threads(ownShare);
    }
    return omp_get_max_threads();
}

std::string whyNoThreads() {
    if (!hasOpenMp()) return "no nest of this program has threads (hpcc -O3 -fopenmp)";
    return areAllowed ? "" : "this process may use one thread only";
}

bool threadsAreAllowed() { return areAllowed; }

int threadsForCopies() {
    if (!areAllowed) return 1;
    return hasOpenMp() ? omp_get_max_threads() : ownShare;
}

void useOneThread() {
    areAllowed = false;
    if (hasOpenMp()) omp_set_num_threads(1);
}

void logThreads(const Cores& cores, int threads) {
    if (!isLogWanted() || jobTransport().nodeRank() != 0 || !hasOpenMp()) return;
    std::fprintf(stderr,
                 "hpspmd: threads of each process: %d; on this node, processes: %d, cores: %d\n",
                 threads, cores.processCount(), cores.all);
}

}  // namespace hpspmd::detail
