// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How many threads OpenMP uses in this process, if the program is linked with it (-fopenmp).

#include "oversubscription.hpp"

#include <string>

namespace hpspmd::detail {

/// The cores of this process as OpenMP found them; 0 in programs without it. Where it binds threads
/// (OMP_PROC_BIND), the mask of the thread that called main() names but one of them.
int coresOfOpenMp();

/// What OMP_NUM_THREADS or the program itself says; else this process's share of the node's cores.
/// Tells OpenMP; 1 in programs without it, and if MPI allows no threads besides the one that calls
/// it.
int chooseThreads(const Cores& cores);

/// Why nests of this program have one thread each, whatever their target; empty if they can have
/// more.
std::string whyNoThreads();

/// True if this process may use threads besides the one that calls MPI.
bool threadsAreAllowed();

/// So many threads that call neither MPI nor OpenMP may copy at a time: those of nests or, in
/// programs without OpenMP, this process's share of the node's cores.
int threadsForCopies();

/// From now on regions of OpenMP have one thread: in the child of a fork there is only one.
void useOneThread();

/// Of a program that is linked with OpenMP, the first process of the node says on stderr how many
/// if the environment variable HPSPMD_LOG is set.
void logThreads(const Cores& cores, int threads);

}  // namespace hpspmd::detail
