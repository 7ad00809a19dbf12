// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mpi_transport.hpp"

#include "comms.hpp"
#include "fork.hpp"
#include "job.hpp"
#include "launcher.hpp"
#include "open_files.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/mpi.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hpspmd::detail {
namespace {

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

MPI_Comm duplicateOf(MPI_Comm comm) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    checkMpi(MPI_Comm_dup(comm, &duplicate), "MPI_Comm_dup");
    freeAtFinalize(duplicate);
    checkMpi(MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return duplicate;
}

// A number in one library, a pointer in another one.
static_assert(sizeof(MPI_Request) <= sizeof(std::uintptr_t));

Request openRequest(MPI_Request made) {
    Request request{true, 0};
    std::memcpy(&request.id, &made, sizeof made);
    return request;
}

MPI_Request madeOf(const Request& request) {
    MPI_Request made;
    std::memcpy(&made, &request.id, sizeof made);
    return made;
}

class MpiTransport : public Transport {
public:
    const char* name() const override { return "MPI"; }

    bool start() override {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized)
            throw MpiError("the environment cannot start: MPI was already finalized", {});
        const bool isOwn = !isRunning();
        endWithLauncher();
        if (isOwn) {
            requireFilesForMpi();
            int provided = 0;
            checkMpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided),
                     "MPI_Init_thread");
            reportErrorsOf(MPI_COMM_WORLD);
            reportErrorsOf(MPI_COMM_SELF);
        }
        collectives_ = duplicateOf(MPI_COMM_WORLD);
        notes_ = duplicateOf(collectives_);
        checkMpi(MPI_Comm_rank(collectives_, &rank_), "MPI_Comm_rank");
        checkMpi(MPI_Comm_size(collectives_, &size_), "MPI_Comm_size");
        checkMpi(MPI_Comm_split_type(collectives_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_),
                 "MPI_Comm_split_type");
        freeAtFinalize(node_);
        checkMpi(MPI_Comm_rank(node_, &nodeRank_), "MPI_Comm_rank");
        checkMpi(MPI_Comm_size(node_, &nodeSize_), "MPI_Comm_size");
        return isOwn;
    }

    bool isRunning() const override {
        int initialized = 0, finalized = 0;
        MPI_Initialized(&initialized);
        MPI_Finalized(&finalized);
        return initialized && !finalized;
    }

    void atFinish(void (*f)()) override { atFinalize(f); }
    void finish() override { checkMpi(MPI_Finalize(), "MPI_Finalize"); }

    /// A process alone has nobody to end, and what MPI_Abort prints at the end of the process may
    /// cost its exit code (endOutput in last_words.cpp). It leaves MPI first: of a process that
    /// does not, MPICH's launcher sometimes tells 1, not the exit code.
    void abort(int exitCode) override {
        if (!isRunning()) return;
        int size = 0, isMain = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Is_thread_main(&isMain);
        if (size == 1) {
            if (isMain) MPI_Finalize();
            std::exit(exitCode);  // as MPI_Abort does: files of the program are flushed
        }
        MPI_Abort(MPI_COMM_WORLD, exitCode);
    }

    void joinToAbort() override {
        int initialized = 0;
        MPI_Initialized(&initialized);
        if (!initialized && launcherRank() >= 0) MPI_Init(nullptr, nullptr);
    }

    std::string wrongLauncher() const override {
        const std::string other = otherLauncher();
        if (other.empty()) return "";
        char library[MPI_MAX_LIBRARY_VERSION_STRING];
        int length = 0;
        MPI_Get_library_version(library, &length);
        std::string version(library, static_cast<std::size_t>(length));
        version = version.substr(0, version.find('\n'));
        std::replace(version.begin(), version.end(), '\t', ' ');
        return other + ", but this program was built with another MPI (" + version +
               "), so every process runs alone. Start it with that MPI's mpiexec, or hpcc run -n "
               "N; "
               "with srun, by --mpi=pmi2 (MPICH) or --mpi=pmix (Open MPI).";
    }

    bool allowsThreads() const override {
        int level = MPI_THREAD_SINGLE;
        checkMpi(MPI_Query_thread(&level), "MPI_Query_thread");
        return level >= MPI_THREAD_FUNNELED;
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int nodeRank() const override { return nodeRank_; }
    int nodeSize() const override { return nodeSize_; }

    void gatherOnNode(const void* own, std::size_t bytes, void* all) override {
        const int count = static_cast<int>(bytes);
        checkMpi(MPI_Allgather(own, count, MPI_BYTE, all, count, MPI_BYTE, node_), "MPI_Allgather");
    }

    Request barrier(Subject subject) override {
        MPI_Request made = MPI_REQUEST_NULL;
        checkMpi(MPI_Ibarrier(commOf(subject), &made), "MPI_Ibarrier");
        return openRequest(made);
    }

    Request send(Subject subject, const void* data, std::size_t bytes, int process, int tag,
                 bool isSynchronous, Where where) override {
        const auto call = isSynchronous ? MPI_Issend : MPI_Isend;
        MPI_Request made = MPI_REQUEST_NULL;
        checkMpi(
            call(data, static_cast<int>(bytes), MPI_BYTE, process, tag, commOf(subject), &made),
            isSynchronous ? "MPI_Issend" : "MPI_Isend", where);
        return openRequest(made);
    }

    Request receive(Subject subject, void* to, std::size_t bytes, int process, int tag,
                    Where where) override {
        MPI_Request made = MPI_REQUEST_NULL;
        checkMpi(
            MPI_Irecv(to, static_cast<int>(bytes), MPI_BYTE, process, tag, commOf(subject), &made),
            "MPI_Irecv", where);
        return openRequest(made);
    }

    bool test(Request& request, std::size_t* received, Where where) override {
        if (!request.isOpen) return true;
        MPI_Request made = madeOf(request);
        int done = 0, bytes = 0;
        MPI_Status status;
        const int code = MPI_Test(&made, &done, &status);
        request = {done == 0, openRequest(made).id};
        checkPoll(code, done, "MPI_Test", where);
        if (done && received != nullptr) {
            checkMpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count", where);
            *received = static_cast<std::size_t>(bytes);
        }
        return done;
    }

    void abandon(Request& request, bool isReceived) override {
        if (!request.isOpen) return;
        MPI_Request made = madeOf(request);
        if (isReceived) MPI_Cancel(&made);
        MPI_Request_free(&made);
        request.isOpen = false;
    }

    int take(Subject subject, void* to, std::size_t bytes, int tag) override {
        int come = 0;
        MPI_Status status;
        const int code = MPI_Iprobe(MPI_ANY_SOURCE, tag, commOf(subject), &come, &status);
        checkPoll(code, come, "MPI_Iprobe");
        if (!come) return -1;
        checkMpi(MPI_Recv(to, static_cast<int>(bytes), MPI_BYTE, status.MPI_SOURCE, tag,
                          commOf(subject), MPI_STATUS_IGNORE),
                 "MPI_Recv");
        return status.MPI_SOURCE;
    }

    MPI_Comm comm() const { return collectives_; }

private:
    MPI_Comm commOf(Subject subject) const {
        return subject == Subject::Collectives ? collectives_ : notes_;
    }

    int rank_ = -1, size_ = 0, nodeRank_ = -1, nodeSize_ = 0;
    MPI_Comm collectives_ = MPI_COMM_NULL, notes_ = MPI_COMM_NULL, node_ = MPI_COMM_NULL;
};

MpiTransport& mpi() {
    static MpiTransport& instance = *new MpiTransport;
    return instance;
}

}  // namespace

Transport* mpiTransport() { return &mpi(); }

MPI_Comm libraryComm() {
    startEnvironment();
    requireNoChild("communication", {});
    if (&jobTransport() != &mpi())
        throw MpiError("the processes are joined by shared memory: there is no communicator", {});
    if (!environmentRuns()) throw MpiError("communication after MPI was finalized", {});
    return mpi().comm();
}

}  // namespace hpspmd::detail
