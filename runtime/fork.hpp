// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Children that the program makes by fork(): copies of a process with arrays of their own, which
/// take no part in the job.

#include <hpspmd/collective.hpp>

#include <sys/types.h>

namespace hpspmd::detail {

/// From now on children get copies of all arrays, and know that they are children. Called by the
/// start of the environment.
void watchForks();

/// fork() of a child that asks a library about something and then ends by _exit: it has no copies
/// of the arrays, and may not touch them.
pid_t forkToAsk();

namespace forks {
extern long copies;  ///< how often arrays were copied for a child
}  // namespace forks

/// AdlibError in a child: `what` needs the other processes.
[[noreturn]] void raiseInChild(const char* what, Where where);

inline void requireNoChild(const char* what, Where where) {
    if (forks::isChild()) raiseInChild(what, where);
}

}  // namespace hpspmd::detail
