#include <hpspmd/mpi.hpp>

#include <vector>

#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

constexpr std::size_t largestPart = std::size_t{1} << 30;
constexpr int tags = 32749;  // MPI grants tags up to 32767 at least

/// Calls part(pointer, bytes) for each part of a message; a message of no bytes is one part.
template <class Pointer, class Part>
void inParts(Pointer data, std::size_t bytes, Part part) {
    while (bytes > largestPart) {
        part(data, static_cast<int>(largestPart));
        data += largestPart;
        bytes -= largestPart;
    }
    part(data, static_cast<int>(bytes));
}

/// A part of a message under way; `bytes` is what must arrive, -1 of a message that is sent.
struct Open {
    MPI_Request request;
    int bytes;
};

void requireWhole(const Open& open, const MPI_Status& status, const Entered& entered) {
    int bytes = 0;
    checkMpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count", entered.where);
    if (bytes != open.bytes) checkMpi(MPI_ERR_TRUNCATE, "MPI_Test", entered.where);
}

bool isComplete(Open& open, const Entered& entered) {
    int done = 0;
    MPI_Status status;
    try {
        checkMpi(MPI_Test(&open.request, &done, &status), "MPI_Test", entered.where);
        if (done && open.bytes >= 0) requireWhole(open, status, entered);
    } catch (...) {
        explainMismatch(entered);
        throw;
    }
    return done;
}

}  // namespace

struct Messages::Requests {
    Entered entered;
    int tag = 0;
    std::vector<Open> open;

    /// After an error: nobody waits for what is still under way.
    void abandon() {
        for (Open& part : open) {
            if (part.request == MPI_REQUEST_NULL) continue;
            if (part.bytes >= 0) MPI_Cancel(&part.request);
            MPI_Request_free(&part.request);
        }
        open.clear();
    }
};

Messages::Messages() : requests_(std::make_unique<Requests>()) {}
Messages::~Messages() = default;

void Messages::begin(const Entered& entered) {
    requests_->entered = entered;
    requests_->tag = static_cast<int>(entered.tag % tags);
}

void Messages::receive(void* to, std::size_t bytes, int peer) {
    inParts(static_cast<char*>(to), bytes, [&](char* part, int size) {
        Open& open = requests_->open.emplace_back(Open{MPI_REQUEST_NULL, size});
        checkMpi(
            MPI_Irecv(part, size, MPI_BYTE, peer, requests_->tag, libraryComm(), &open.request),
            "MPI_Irecv", requests_->entered.where);
    });
}

void Messages::send(const void* data, std::size_t bytes, int peer) {
    inParts(static_cast<const char*>(data), bytes, [&](const char* part, int size) {
        Open& open = requests_->open.emplace_back(Open{MPI_REQUEST_NULL, -1});
        checkMpi(
            MPI_Isend(part, size, MPI_BYTE, peer, requests_->tag, libraryComm(), &open.request),
            "MPI_Isend", requests_->entered.where);
    });
}

void Messages::wait() {
    if (requests_->open.empty()) return;
    try {
        Waiting waiting(requests_->entered);
        for (Open& open : requests_->open)
            while (!isComplete(open, requests_->entered)) waiting.pause();
    } catch (...) {
        requests_->abandon();
        throw;
    }
    requests_->open.clear();
}

void exchange(const Entered& entered, const void* data, void* to, std::size_t bytes, int peer) {
    static Messages messages;
    messages.begin(entered);
    messages.receive(to, bytes, peer);
    messages.send(data, bytes, peer);
    messages.wait();
}

}  // namespace hpspmd::detail::transport
