// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork.hpp"

#include "arena.hpp"
#include "job.hpp"
#include "threads.hpp"

#include <hpspmd/error.hpp>

#include <pthread.h>
#include <unistd.h>

#include <string>

namespace hpspmd::detail {

int forks::generation = 0;
long forks::copies = 0;

namespace {

thread_local bool isToAsk = false;

// system(), popen() and posix_spawn() do not come here: their children see the arrays of the
// parent, but only until they become another program.
void beforeFork() {
    if (isToAsk) return;
    ++forks::copies;
    const bool node = nodeArena().beforeFork(), large = privateArena().beforeFork();
    if (node && large) return;
    nodeArena().inParent();
    privateArena().inParent();
    const OutOfMemory error("fork: there is no memory for the child's copy of the arrays", {});
    endJob(error.what(), error.exitCode());
}

void inParent() {
    if (isToAsk) return;
    nodeArena().inParent();
    privateArena().inParent();
}

void inChild() {
    ++forks::generation;
    if (isToAsk) return;
    const bool node = nodeArena().inChild(), large = privateArena().inChild();
    useOneThread();
    if (node && large) return;
    const OutOfMemory error("fork: the child's copy of the arrays cannot be mapped", {});
    endJob(error.what(), error.exitCode());
}

}  // namespace

void watchForks() {
    static const int registered = ::pthread_atfork(beforeFork, inParent, inChild);
    static_cast<void>(registered);
}

pid_t forkToAsk() {
    isToAsk = true;
    const pid_t child = ::fork();
    isToAsk = false;
    return child;
}

void raiseInChild(const char* what, Where where) {
    throw AdlibError(std::string(what) +
                         ": this is a child process made by fork(): it has copies of the arrays, "
                         "but takes no part in collectives",
                     where);
}

}  // namespace hpspmd::detail
