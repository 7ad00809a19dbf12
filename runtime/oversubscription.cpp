#include "oversubscription.hpp"

#include <hpspmd/mpi.hpp>

#include <sched.h>

#include <algorithm>

namespace hpspmd::detail {

Cores coresOf(MPI_Comm node, int least) {
    Cores cores;
    checkMpi(MPI_Comm_size(node, &cores.processes), "MPI_Comm_size");
    cpu_set_t own, all;
    CPU_ZERO(&own);
    const bool isKnown = sched_getaffinity(0, sizeof own, &own) == 0;
    checkMpi(MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, node), "MPI_Allreduce");
    int largest = 0;
    checkMpi(MPI_Allreduce(&least, &largest, 1, MPI_INT, MPI_MAX, node), "MPI_Allreduce");
    if (!isKnown) return cores;
    cores.all = std::max(CPU_COUNT(&all), largest);
    cores.own = std::max(CPU_COUNT(&own), least);
    return cores;
}

bool isOversubscribed(const Cores& cores, int threads, MPI_Comm node) {
    int together = 0;
    checkMpi(MPI_Allreduce(&threads, &together, 1, MPI_INT, MPI_SUM, node), "MPI_Allreduce");
    return cores.all > 0 && together > cores.all;
}

}  // namespace hpspmd::detail
