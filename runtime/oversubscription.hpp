#pragma once
/// Do processes have to share cores?

#include <mpi.h>

namespace hpspmd::detail {

/// Are there more processes of `node` (all of one node) than cores that their affinity masks name?
/// Collective over node.
bool findOversubscription(MPI_Comm node);

}  // namespace hpspmd::detail
