// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place of mpi_transport.cpp where the library is built without MPI.

#include "transport/mpi_transport.hpp"

namespace hpspmd::detail {

Transport* mpiTransport() { return nullptr; }

}  // namespace hpspmd::detail
