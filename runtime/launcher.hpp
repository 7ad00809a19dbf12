// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Which launcher started us, read from its environment variables; and its end by force.

#include <hpspmd/where.hpp>

#include <string>

namespace hpspmd::detail {

/// "" or, if a launcher says that it started several processes, which one and how many. To be asked
/// when MPI believes that we are alone.
std::string otherLauncher();

/// "" or a warning, to be asked for where this process is alone: PBS gives its job several places,
/// and no launcher has been asked for one process. PBS starts none by itself, so it may be right.
std::string warningOfPlaces();

/// This process's rank as the launcher numbers it; -1 if there is none.
int launcherRank();

/// From now on this process is killed once its parent ends, if that is MPICH's launcher or belongs
/// to `hpcc run --transport=node`: who kills a launcher ends the job. Open MPI's library sees to
/// that itself.
void endWithLauncher();

/// For one that waits, and that a shell or another program between has started: MpiError if the
/// launcher has left it.
void requireLauncher(Where where);

}  // namespace hpspmd::detail
