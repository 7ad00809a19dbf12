// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/cost.hpp>

#include "plan/operation.hpp"

namespace hpspmd::detail::cost {

/// Prices one execution of an operation over all processes of the APG. `isSeparable`: both arrays
/// have one group, and what a process does follows from what its coordinate in each dimension does
/// there; then processes whose coordinates do alike form a class, and one of each class is planned.
/// Else all processes are planned, or of more than 4096 a sample of 64; fewer where each sends very
/// many messages.
Adlib::Cost survey(const plan::Operation& operation, bool isSeparable, std::size_t elementSize,
                   const Adlib::Machine& machine);

}  // namespace hpspmd::detail::cost
