// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Memory that was promised but is not there.

#include "reservation.hpp"

namespace hpspmd::detail {

/// From now on a page of `memory` that the system cannot provide (it answers with SIGBUS) ends the
/// job as OutOfMemory does. Any other SIGBUS goes where it went before. To be called again when
/// others may have set their handlers: MPI's libraries do. The reservation must live for ever.
void reportMissingMemory(const Reservation& memory);

}  // namespace hpspmd::detail
