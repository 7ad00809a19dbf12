// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/environment.hpp>

#include "arena.hpp"
#include "bus_error.hpp"
#include "compose.hpp"
#include "crash.hpp"
#include "device/mirror.hpp"
#include "fork.hpp"
#include "grid.hpp"
#include "job.hpp"
#include "last_words.hpp"
#include "launcher.hpp"
#include "links/links.hpp"
#include "node.hpp"
#include "observe/debugger.hpp"
#include "oversubscription.hpp"
#include "standard_output.hpp"
#include "threads.hpp"
#include "transport/transport.hpp"
#include "variables.hpp"
#include "watch/notes.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/observe.hpp>
#include <hpspmd/target.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <utility>

namespace hpspmd::detail {
namespace {

// What this process knows of the job. Trivially destructible, so it can be asked at any time until
// the process ends.
struct Environment {
    bool started = false;
    bool owns = false;    // we started the transport
    bool ending = false;  // by an error
    bool left = false;    // waits for no process any more
    bool waitsSleep = false;
    int rank = -1;
    pid_t process = 0;  // a child has another one
};

Environment environment;

// True in the child of a fork, of vfork even. What ends it does not end the job, and MPI would take
// it for its parent.
bool isOtherProcess() { return environment.process != 0 && environment.process != ::getpid(); }

void requireOutput(int status) {
    const std::string problem = flushedOutput();
    if (problem.empty()) return;
    const IoError error(problem, {});
    endJob(error.what(), status == 0 ? error.exitCode() : status);
}

// From now on this process enters no collective. 0: it ends as if its work were done.
void showEnd(int status) { ownBoard().ended.store(1 + (status & 255)); }

// True if all processes get here within so many seconds. Gives up the core while it waits. Ends the
// job if one waits for a collective with this process, unless that is going to end it anyway.
bool allLeave(double limit, bool endsWell) {
    using Clock = std::chrono::steady_clock;
    Request request = jobTransport().barrier(Subject::Collectives);
    for (const auto start = Clock::now(); !jobTransport().test(request, nullptr, {});
         ::usleep(100)) {
        requireLauncher({});
        const std::string verdict = endsWell ? judgeNotes(true) : "";
        if (!verdict.empty()) endJob(AdlibError(verdict, {}).what(), AdlibError("", {}).exitCode());
        if (std::chrono::duration<double>(Clock::now() - start).count() > limit) return false;
    }
    return true;
}

// At exit. A process that leaves with a status other than 0 may have left the others waiting: then
// it ends the job.
void stop(int status) {
    if (isOtherProcess() || !environmentRuns() || !environment.owns || environment.ending) return;
    constexpr double patience = 1.5;
    requireOutput(status);
    std::fflush(nullptr);
    environment.left = true;
    showEnd(status);
    const bool endsWell = status == 0;
    if (!allLeave(endsWell ? std::numeric_limits<double>::infinity() : patience, endsWell))
        endJob(compose("rank ", environment.rank, ": left with exit status ", status,
                       " while other processes were still running"),
               status);
    jobTransport().finish();
}

// Nothing above catches here.
void stopOrEnd(int status) {
    try {
        stop(status);
    } catch (const Error& error) {
        endJob(error.what(), error.exitCode());
    }
}

// The program calls MPI_Finalize itself. Should others wait for this process in a collective, it
// would not come back from there.
void leaveByFinalize() {
    if (isOtherProcess() || environment.left || environment.ending) return;
    environment.left = true;
    showEnd(0);
    try {
        allLeave(std::numeric_limits<double>::infinity(), true);
    } catch (const Error& error) {
        endJob(error.what(), error.exitCode());
    }
}

void stopAtExit() {
#ifdef __GLIBC__
    ::on_exit([](int status, void*) { stopOrEnd(status); }, nullptr);
#else
    std::atexit([] { stopOrEnd(0); });
#endif
}

void meetNode() {
    reportMissingMemory(nodeArena().reservation());
    ownBoard().ended.store(0);  // so that its page is there when memory has run out
    const Cores cores = coresOfNode(coresOfOpenMp());
    const int threads = chooseThreads(cores);
    environment.waitsSleep = chooseSleep(cores, threads);
    exploreNode();
    openLinks(environment.waitsSleep);
    agreeOnDevices();
    logThreads(cores, threads);
}

void warnOfStart() {
    if (environment.rank != 0) return;
    std::vector<std::string> warnings = warningsOfVariables(environ);
    if (jobTransport().size() == 1) warnings.push_back(warningOfPlaces());
    for (const std::string& warning : warnings)
        if (!warning.empty()) std::cerr << warning + "\n";
}

// The program has done its work. Should the job be ended from now on, nothing more is recorded.
void endObserving() {
    if (Observer* const watching = std::exchange(observer, nullptr)) watching->jobEnds();
}

void failObserving() {
    try {
        if (Observer* const watching = std::exchange(observer, nullptr)) watching->jobFails();
    } catch (const Error&) {
        // the job is ended by another error, which has been told
    }
}

void joinJob() {
    environment.process = ::getpid();
    watchForks();
    watchOutput();
    environment.owns = jobTransport().start();
    environment.rank = jobTransport().rank();
    warnOfStart();
    reportCrashes(jobTransport().size());
    meetNode();
    jobTransport().atFinish(leaveByFinalize);
    startNotes();
    startObserving(environment.rank);
    jobTransport().atFinish(endObserving);
    waitForDebugger(environment.rank);
    environment.started = true;
}

void checkLauncher() {
    const std::string problem = jobTransport().size() == 1 ? jobTransport().wrongLauncher() : "";
    if (!problem.empty()) endJob("wrong launcher: " + problem, wrongLauncherCode);
}

}  // namespace

void startEnvironment() {
    static const bool once = [] {
        installTerminateHandler();
        joinJob();
        if (environment.owns) stopAtExit();
        checkLauncher();
        readTargets();
        return true;
    }();
    static_cast<void>(once);
}

bool environmentRuns() { return environment.started && jobTransport().isRunning(); }

int ownRank() { return environment.started ? environment.rank : launcherRank(); }

bool waitsSleep() { return environment.waitsSleep; }

World::World(int size, int rank) : size_(size), rank_(rank), group_(newWorld(size, rank)) {}

const World& World::actual() {
    static const World& world = *[] {
        startEnvironment();
        return new World(jobTransport().size(), environment.rank);
    }();
    return world;
}

void endJob(const std::string& text, int exitCode) {
    const bool isChild = isOtherProcess();
    tellAtTheEnd(isChild ? text + " (in a child process)" : text, exitCode);
    if (isChild) std::_Exit(exitCode);
    environment.ending = true;
    failObserving();
    showEnd(exitCode);
    // An error before the start would leave the other processes waiting there for this one: only
    // from inside the job can it end them. If they do not come within 5 seconds, they never start,
    // and wait for nobody.
    if (!environment.started && launcherRank() >= 0) endLatestAfter(5, exitCode);
    jobTransport().joinToAbort();
    endLatestAfter(2, exitCode);
    jobTransport().abort(exitCode);
    std::_Exit(exitCode);
}

}  // namespace hpspmd::detail
