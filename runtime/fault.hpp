// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Faults for tests: MPI calls that fail on demand.

namespace hpspmd::detail {

/// True if the call that has just returned is the one to fail. The environment variable
/// HPSPMD_FAULT=rank:n names it: the n-th call of that process (1, 2, ..), its start and its end
/// included. Every result of MPI that matters passes here.
bool isFault();

/// How many calls there have been.
long faultableCalls();

}  // namespace hpspmd::detail
