#include "transport/mpi_traffic.hpp"

namespace hpspmd::detail::transport {
namespace {

std::size_t largestPart = std::size_t{1} << 30;
constexpr std::uint64_t tags = 32749;  // MPI grants tags up to 32767 at least

/// Calls part(pointer, bytes, isLast) for each part of a message; a message of no bytes is one.
template <class Pointer, class Part>
void inParts(Pointer data, std::size_t bytes, Part part) {
    while (bytes > largestPart) {
        part(data, static_cast<int>(largestPart), false);
        data += largestPart;
        bytes -= largestPart;
    }
    part(data, static_cast<int>(bytes), true);
}

void requireWhole(int expected, const MPI_Status& status, const Entered& entered) {
    int bytes = 0;
    checkMpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count", entered.where);
    if (bytes != expected) checkMpi(MPI_ERR_TRUNCATE, "MPI_Test", entered.where);
}

}  // namespace

void setLargestPart(std::size_t bytes) { largestPart = bytes; }

void MpiTraffic::receive(const Entered& entered, std::uint64_t tag, void* to, std::size_t bytes,
                         int process, const Arrival& arrival) {
    char* const begin = static_cast<char*>(to);
    inParts(begin, bytes, [&](char* data, int size, bool isLast) {
        Part& part = open_.emplace_back(
            Part{MPI_REQUEST_NULL, size, isLast ? arrival : Arrival{}, begin, data});
        checkMpi(MPI_Irecv(data, size, MPI_BYTE, process, static_cast<int>(tag % tags),
                           libraryComm(), &part.request),
                 "MPI_Irecv", entered.where);
    });
}

void MpiTraffic::send(const Entered& entered, std::uint64_t tag, const void* data,
                      std::size_t bytes, int process) {
    inParts(static_cast<const char*>(data), bytes, [&](const char* from, int size, bool) {
        Part& part = open_.emplace_back(Part{MPI_REQUEST_NULL, -1, {}, nullptr, nullptr});
        checkMpi(MPI_Isend(from, size, MPI_BYTE, process, static_cast<int>(tag % tags),
                           libraryComm(), &part.request),
                 "MPI_Isend", entered.where);
    });
}

bool MpiTraffic::isReceiving(const void* begin, std::size_t bytes) const {
    constexpr std::ptrdiff_t near = 1 << 16;  // the largest pages but huge ones
    const char* const first = static_cast<const char*>(begin);
    const char* const last = first + bytes;
    for (const Part& part : open_)
        if (part.expected > 0 && part.request != MPI_REQUEST_NULL &&
            first - near < part.to + part.expected && part.to < last + near)
            return true;
    return false;
}

bool MpiTraffic::advance(Part& part, const Entered& entered) {
    int done = 0;
    MPI_Status status;
    try {
        const int code = MPI_Test(&part.request, &done, &status);
        checkPoll(code, done, "MPI_Test", entered.where);
        if (done && part.expected >= 0) requireWhole(part.expected, status, entered);
    } catch (...) {
        explainMismatch(entered);
        throw;
    }
    if (done && part.arrival.run) part.arrival.run(part.arrival.context, part.data);
    return done;
}

bool MpiTraffic::advance(const Entered& entered) {
    bool complete = true;
    for (Part& part : open_)
        if (part.request != MPI_REQUEST_NULL) complete &= advance(part, entered);
    return complete;
}

void MpiTraffic::abandon() {
    for (Part& part : open_) {
        if (part.request == MPI_REQUEST_NULL) continue;
        if (part.expected >= 0) MPI_Cancel(&part.request);
        MPI_Request_free(&part.request);
    }
    open_.clear();
}

}  // namespace hpspmd::detail::transport
