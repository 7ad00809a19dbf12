// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// World, the processes of the job as seen by one of them, and the environment that starts and
/// stops MPI.

#include <hpspmd/group.hpp>

namespace hpspmd::detail {

/// A set of processes 0 .. size-1 and which of them we are. One is real; tests make pretended ones,
/// in which grids, ranges, sections and plans can be asked everything for any process, without MPI.
class World {
public:
    World(int size, int rank);

    int size() const { return size_; }
    int rank() const { return rank_; }
    /// The initial group: a one-dimensional grid of all processes.
    Group group() const { return Group(group_); }

    /// The real one. Starts the environment.
    static const World& actual();

private:
    int size_;
    int rank_;
    const GroupRecord* group_;
};

/// Starts MPI, or adopts one that the program has started; its stop is registered at exit. Exit
/// code 88 if the launcher belongs to another MPI. Called by the first apg(), grid or collective;
/// later calls do nothing.
void startEnvironment();
bool environmentRuns();  ///< started and not yet stopped
int ownRank();           ///< in the job; before the start what the launcher says, -1 if nothing
/// True if processes sleep while they wait, so that others get their cores. They do where a node
/// has not a core for each thread of each process, which is found out at start, or as the
/// environment variable HPSPMD_WAITING says: "sleep" or "spin".
bool waitsSleep();

/// From now on an uncaught exception ends the whole job with its exit code. Called by the start and
/// by the first error.
void installTerminateHandler();

}  // namespace hpspmd::detail
