// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transport/transport.hpp"

namespace hpspmd::detail {

/// The processes that an MPI launcher started; null if the library was built without MPI.
Transport* mpiTransport();

}  // namespace hpspmd::detail
