#include "oversubscription.hpp"

#include <hpspmd/mpi.hpp>

#include <sched.h>

namespace hpspmd::detail {

bool findOversubscription(MPI_Comm comm) {
    MPI_Comm node = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
             "MPI_Comm_split_type");
    int processes = 0;
    checkMpi(MPI_Comm_size(node, &processes), "MPI_Comm_size");
    cpu_set_t own, all;
    CPU_ZERO(&own);
    const bool known = sched_getaffinity(0, sizeof own, &own) == 0;
    checkMpi(MPI_Allreduce(&own, &all, sizeof own, MPI_BYTE, MPI_BOR, node), "MPI_Allreduce");
    checkMpi(MPI_Comm_free(&node), "MPI_Comm_free");
    return known && processes > CPU_COUNT(&all);
}

}  // namespace hpspmd::detail
