#include "transport/mpi.hpp"

#include <sched.h>
#include <hpspmd/environment.hpp>

#include <vector>

#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

constexpr int tag = 1;
constexpr std::size_t largestPart = std::size_t{1} << 30;

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

bool isComplete(MPI_Request* request) {
    int done = 0;
    checkMpi(MPI_Test(request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done;
}

}  // namespace

void waitAll(int count, MPI_Request* requests) {
    if (!oversubscribed()) {
        for (int k = 0; k < count; ++k)
            checkMpi(MPI_Wait(&requests[k], MPI_STATUS_IGNORE), "MPI_Wait");
        return;
    }
    for (int k = 0; k < count; ++k)
        while (!isComplete(&requests[k])) sched_yield();
}

struct Messages::Requests {
    std::vector<MPI_Request> open;
};

Messages::Messages() : requests_(std::make_unique<Requests>()) {}
Messages::~Messages() = default;

void Messages::receive(void* to, std::size_t bytes, int peer) {
    inParts(static_cast<char*>(to), bytes, [&](char* part, int size) {
        MPI_Request& request = requests_->open.emplace_back(MPI_REQUEST_NULL);
        checkMpi(MPI_Irecv(part, size, MPI_BYTE, peer, tag, libraryComm(), &request), "MPI_Irecv");
    });
}

void Messages::send(const void* data, std::size_t bytes, int peer) {
    inParts(static_cast<const char*>(data), bytes, [&](const char* part, int size) {
        MPI_Request& request = requests_->open.emplace_back(MPI_REQUEST_NULL);
        checkMpi(MPI_Isend(part, size, MPI_BYTE, peer, tag, libraryComm(), &request), "MPI_Isend");
    });
}

void Messages::wait() {
    if (requests_->open.empty()) return;
    waitAll(static_cast<int>(requests_->open.size()), requests_->open.data());
    requests_->open.clear();
}

bool Messages::test() {
    for (MPI_Request& request : requests_->open)
        if (!isComplete(&request)) return false;
    requests_->open.clear();
    return true;
}

void exchange(const void* data, void* to, std::size_t bytes, int peer) {
    static Messages messages;
    messages.receive(to, bytes, peer);
    messages.send(data, bytes, peer);
    messages.wait();
}

}  // namespace hpspmd::detail::transport
