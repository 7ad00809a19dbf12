// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The life of the communicators that we make.

#include <mpi.h>

#include <cstddef>

namespace hpspmd::detail {

/// Frees comm when MPI_Finalize begins, whoever calls it. Of several, the first one made is freed
/// first: creation is collective, so that order suits all members.
void freeAtFinalize(MPI_Comm comm);

/// How many there are.
std::size_t commCount();

/// Calls f before that, in all processes. It may communicate; what it throws ends the job.
void atFinalize(void (*f)());

}  // namespace hpspmd::detail
