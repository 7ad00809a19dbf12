// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Transport, how the processes of a job are joined: by MPI, or by shared memory of one machine.

#include <hpspmd/where.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hpspmd::detail {

/// Something under way in a transport.
struct Request {
    bool isOpen = false;  ///< not yet known to be done
    std::uintptr_t id = 0;
};

/// What a message belongs to: those of different subjects never meet.
enum class Subject { Collectives, Notes };

/// Messages between two processes that have one subject and one tag arrive in their order. Each
/// call may throw MpiError.
class Transport {
public:
    virtual ~Transport() = default;

    /// "MPI" or "shared memory".
    virtual const char* name() const = 0;
    /// Joins the processes of the job. False if the program has done so itself, and will part them.
    virtual bool start() = 0;
    /// Between start and finish, whoever calls these.
    virtual bool isRunning() const = 0;
    /// Calls f when the end begins, in all processes; of several, the first one added comes first.
    /// It may communicate; what it throws ends the job.
    virtual void atFinish(void (*f)()) = 0;
    virtual void finish() = 0;
    /// Ends all processes with this exit code. It may return if the job has not been started.
    virtual void abort(int exitCode) = 0;
    /// Before the start: joins the others only so that abort reaches them.
    virtual void joinToAbort() = 0;
    /// Why a job of one process should have more: "" or an error.
    virtual std::string wrongLauncher() const = 0;
    /// True if other threads than the first one may run beside it.
    virtual bool allowsThreads() const = 0;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// The processes of this node, in the order of their ranks.
    virtual int nodeRank() const = 0;
    virtual int nodeSize() const = 0;
    /// all[k] = own of the node's process k; each has so many bytes. Collective over the node.
    virtual void gatherOnNode(const void* own, std::size_t bytes, void* all) = 0;

    /// Done once all processes of the job have called it.
    virtual Request barrier(Subject subject) = 0;
    /// The data stay until it is done. `isSynchronous`: it is done once the receiver has asked for
    /// it.
    virtual Request send(Subject subject, const void* data, std::size_t bytes, int process, int tag,
                         bool isSynchronous, Where where) = 0;
    virtual Request receive(Subject subject, void* to, std::size_t bytes, int process, int tag,
                            Where where) = 0;
    /// True if it is done. Then it is open no more, and `received` says how many bytes were sent to
    /// it, perhaps more than it has room for. True also of what is not open.
    virtual bool test(Request& request, std::size_t* received, Where where) = 0;
    /// Nobody waits for it any more; its data need not stay.
    virtual void abandon(Request& request, bool isReceived) = 0;
    /// Receives a message of so many bytes that has come from any process: which one; -1 if none
    /// has.
    virtual int take(Subject subject, void* to, std::size_t bytes, int tag) = 0;
};

/// The one of this process: shared memory if `hpcc run --transport=node` started it, if the library
/// was built without MPI, or if the environment variable HPSPMD_TRANSPORT is "node"; else MPI.
Transport& jobTransport();

/// True if the condition holds in all processes of the node. Collective over it.
bool everywhereOnNode(bool condition);

/// The rank that `hpcc run --transport=node` gave to this process; -1 if it did not start it.
int rankInNodeJob();

}  // namespace hpspmd::detail
