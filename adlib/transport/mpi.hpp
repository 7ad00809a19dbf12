#pragma once

#include <hpspmd/mpi.hpp>

namespace hpspmd::detail::transport {

/// Waits for all requests. With at most one process per core this is MPI_Waitall; else it tests and
/// gives up the core in turn, because MPI's own waits spin until the scheduler takes the core away,
/// a whole tick (4 ms) per message.
void waitAll(int count, MPI_Request* requests);

}  // namespace hpspmd::detail::transport
