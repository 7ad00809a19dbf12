#include <hpspmd/environment.hpp>

#include "arena.hpp"
#include "bus_error.hpp"
#include "comms.hpp"
#include "compose.hpp"
#include "grid.hpp"
#include "job.hpp"
#include "launcher.hpp"
#include "links/links.hpp"
#include "node.hpp"
#include "oversubscription.hpp"
#include "threads.hpp"
#include "watch/notes.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/mpi.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>

namespace hpspmd::detail {
namespace {

// The one state of the MPI side. Trivially destructible, so it can be asked at any time until the
// process ends.
struct Environment {
    bool started = false;
    bool owns = false;    // we called MPI_Init
    bool ending = false;  // by an error
    bool oversubscribed = false;
    int rank = -1;
    MPI_Comm comm = MPI_COMM_NULL;
};

Environment environment;

bool mpiRuns() {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    return initialized && !finalized;
}

void flushOutput() {
    std::cout.flush();
    std::fflush(nullptr);
}

// From now on this process enters no collective. 0: it ends as if its work were done.
void showEnd(int status) { ownBoard().ended.store(1 + (status & 255)); }

// Do all processes get here within so many seconds? Gives up the core while it waits. Ends the job
// if one waits for a collective with this process, unless that is going to end it anyway.
bool allLeave(double limit, bool endsWell) {
    using Clock = std::chrono::steady_clock;
    MPI_Request request;
    checkMpi(MPI_Ibarrier(environment.comm, &request), "MPI_Ibarrier");
    const auto start = Clock::now();
    for (int done = 0; !done; ::usleep(100)) {
        const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        checkPoll(code, done, "MPI_Test");
        if (done) break;
        const std::string verdict = endsWell ? judgeNotes(true) : "";
        if (!verdict.empty()) endJob(AdlibError(verdict, {}).what(), AdlibError("", {}).exitCode());
        if (std::chrono::duration<double>(Clock::now() - start).count() > limit) return false;
    }
    return true;
}

// At exit. A process that leaves with a status other than 0 may have left the others waiting: then
// it ends the job.
void stop(int status) {
    if (!environmentRuns() || !environment.owns || environment.ending) return;
    constexpr double patience = 1.5;
    showEnd(status);
    const bool endsWell = status == 0;
    if (!allLeave(endsWell ? std::numeric_limits<double>::infinity() : patience, endsWell))
        endJob(compose("rank ", environment.rank, ": left with exit status ", status,
                       " while other processes were still running"),
               status);
    flushOutput();
    stopNotes();
    checkMpi(MPI_Finalize(), "MPI_Finalize");
}

// Nothing above catches here.
void stopOrEnd(int status) {
    try {
        stop(status);
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

// MPI reports errors that belong to no single message set (of MPI_Wait, say) to MPI_COMM_WORLD's
// handler. Its own one would end the job without our exit code.
void endByMpiError(MPI_Comm*, int* code, ...) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(*code, text, &length);
    const MpiError error(std::string(text, static_cast<std::size_t>(length)), {});
    endJob(error.what(), error.exitCode());
}

void reportErrorsOf(MPI_Comm comm) {
    MPI_Errhandler handler;
    checkMpi(MPI_Comm_create_errhandler(endByMpiError, &handler), "MPI_Comm_create_errhandler");
    checkMpi(MPI_Comm_set_errhandler(comm, handler), "MPI_Comm_set_errhandler");
    checkMpi(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

void meetNode() {
    reportMissingMemory(nodeArena().reservation());
    ownBoard().ended.store(0);  // so that its page is there when memory has run out
    MPI_Comm node = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(environment.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
             "MPI_Comm_split_type");
    const Cores cores = coresOf(node, coresOfOpenMp());
    const int threads = chooseThreads(cores);
    environment.oversubscribed = isOversubscribed(cores, threads, node);
    exploreNode(environment.comm, node);
    openLinks(node, environment.oversubscribed);
    logThreads(cores, threads, node);
    checkMpi(MPI_Comm_free(&node), "MPI_Comm_free");
}

void startMpi() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized) throw MpiError("the environment cannot start: MPI was already finalized", {});
    if (!mpiRuns()) {
        int provided = 0;
        checkMpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided),
                 "MPI_Init_thread");
        environment.owns = true;
        reportErrorsOf(MPI_COMM_WORLD);
        reportErrorsOf(MPI_COMM_SELF);
    }
    checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, &environment.comm), "MPI_Comm_dup");
    freeAtFinalize(environment.comm);
    checkMpi(MPI_Comm_set_errhandler(environment.comm, MPI_ERRORS_RETURN),
             "MPI_Comm_set_errhandler");
    checkMpi(MPI_Comm_rank(environment.comm, &environment.rank), "MPI_Comm_rank");
    meetNode();
    startNotes(environment.comm);
    environment.started = true;
}

void checkLauncher() {
    int size = 0, length = 0;
    MPI_Comm_size(environment.comm, &size);
    const std::string other = size == 1 ? otherLauncher() : "";
    if (other.empty()) return;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(library, &length);
    std::string version(library, static_cast<std::size_t>(length));
    version = version.substr(0, version.find('\n'));
    std::replace(version.begin(), version.end(), '\t', ' ');
    endJob("wrong launcher: " + other + ", but this program was built with another MPI (" +
               version + "), so every process runs alone. Start it with that MPI's mpiexec.",
           wrongLauncherCode);
}

}  // namespace

void startEnvironment() {
    static const bool once = [] {
        installTerminateHandler();
        startMpi();
        if (environment.owns) stopAtExit();
        checkLauncher();
        return true;
    }();
    static_cast<void>(once);
}

bool environmentRuns() { return environment.started && mpiRuns(); }

int ownRank() { return environment.started ? environment.rank : launcherRank(); }

bool oversubscribed() { return environment.oversubscribed; }

World::World(int size, int rank)
    : size_(size), rank_(rank), group_(newGrid(nullptr, {size}, rank)) {}

const World& World::actual() {
    static const World& world = *[] {
        startEnvironment();
        int size = 0;
        MPI_Comm_size(environment.comm, &size);
        return new World(size, environment.rank);
    }();
    return world;
}

MPI_Comm libraryComm() {
    startEnvironment();
    if (!environmentRuns()) throw MpiError("communication after MPI was finalized", {});
    return environment.comm;
}

namespace {

// Whatever blocks from here on, a lock inside of MPI, or a destructor that MPI_Abort's exit()
// calls: after so many seconds this process ends by itself, and the launcher then ends the others.
void endLatestAfter(unsigned seconds, int exitCode) {
    static volatile std::sig_atomic_t code;
    code = exitCode;
    std::signal(SIGALRM, [](int) { std::_Exit(code); });
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
    ::alarm(seconds);
}

// An error before the start would leave the other processes waiting in MPI_Init for this one: only
// from inside MPI can it end them. If they do not come within 5 seconds, they never start MPI, and
// wait for nobody.
void joinOthers(int exitCode) {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized || launcherRank() < 0) return;
    endLatestAfter(5, exitCode);
    MPI_Init(nullptr, nullptr);
}

}  // namespace

void endJob(const std::string& text, int exitCode) {
    flushOutput();
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
    ::usleep(50'000);  // MPI_Abort may kill the launcher's end of stderr before it is read
    environment.ending = true;
    showEnd(exitCode);
    joinOthers(exitCode);
    endLatestAfter(2, exitCode);
    if (mpiRuns()) MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
}

}  // namespace hpspmd::detail
