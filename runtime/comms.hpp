#pragma once
/// The life of the communicators that we make.

#include <mpi.h>

namespace hpspmd::detail {

/// Frees comm when MPI_Finalize begins, whoever calls it. Of several, the first one made is freed
/// first: creation is collective, so that order suits all members.
void freeAtFinalize(MPI_Comm comm);

}  // namespace hpspmd::detail
