#pragma once
/// Do processes have to share cores?

#include <mpi.h>

namespace hpspmd::detail {

/// Are there more processes of `comm` on this node than cores that their affinity masks name?
/// Collective over comm.
bool findOversubscription(MPI_Comm comm);

}  // namespace hpspmd::detail
