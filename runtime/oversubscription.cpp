#include "oversubscription.hpp"

#include <hpspmd/mpi.hpp>

#include <sched.h>

namespace hpspmd::detail {

bool findOversubscription(MPI_Comm node) {
    int processes = 0;
    checkMpi(MPI_Comm_size(node, &processes), "MPI_Comm_size");
    cpu_set_t own, all;
    CPU_ZERO(&own);
    const bool known = sched_getaffinity(0, sizeof own, &own) == 0;
    checkMpi(MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, node), "MPI_Allreduce");
    return known && processes > CPU_COUNT(&all);
}

}  // namespace hpspmd::detail
