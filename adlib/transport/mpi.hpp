#pragma once

#include <hpspmd/mpi.hpp>

namespace hpspmd::detail::transport {

/// Waits for all requests. With at most one process per core this is MPI_Wait; else it tests and
/// gives up the core in turn, because MPI's own waits spin until the scheduler takes the core away,
/// a whole tick (4 ms) per message. One request after the other, not MPI_Waitall: errors of that go
/// to the handler of MPI_COMM_WORLD, which ends the job without our message and exit code.
void waitAll(int count, MPI_Request* requests);

}  // namespace hpspmd::detail::transport
