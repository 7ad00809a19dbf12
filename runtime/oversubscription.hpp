#pragma once
/// Which cores the processes of a node have, and whether they must share them.

#include <mpi.h>

namespace hpspmd::detail {

/// Cores that affinity masks name; 0 if that is not known.
struct Cores {
    int processes = 1;  ///< of the node
    int all = 0;        ///< of all its processes together
    int own = 0;        ///< of this one, perhaps also others'
};

/// Collective over node, all of whose processes are of one node. `least`: so many cores this
/// process has at any rate.
Cores coresOf(MPI_Comm node, int least);

/// Are there more threads of processes than cores? `threads`: of this process. Collective over
/// node.
bool isOversubscribed(const Cores& cores, int threads, MPI_Comm node);

}  // namespace hpspmd::detail
