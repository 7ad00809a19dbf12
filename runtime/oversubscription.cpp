#include "oversubscription.hpp"

#include <hpspmd/mpi.hpp>

#include <sched.h>

namespace hpspmd::detail {

Cores coresOf(MPI_Comm node) {
    Cores cores;
    checkMpi(MPI_Comm_size(node, &cores.processes), "MPI_Comm_size");
    cpu_set_t own, all;
    CPU_ZERO(&own);
    const bool isKnown = sched_getaffinity(0, sizeof own, &own) == 0;
    checkMpi(MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, node), "MPI_Allreduce");
    if (!isKnown) return cores;
    cores.all = CPU_COUNT(&all);
    cores.own = CPU_COUNT(&own);
    return cores;
}

bool isOversubscribed(const Cores& cores, int threads, MPI_Comm node) {
    int together = 0;
    checkMpi(MPI_Allreduce(&threads, &together, 1, MPI_INT, MPI_SUM, node), "MPI_Allreduce");
    return cores.all > 0 && together > cores.all;
}

}  // namespace hpspmd::detail
