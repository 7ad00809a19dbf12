// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/transport_traffic.hpp"

#include "transport/work_in_wait.hpp"

#include <algorithm>
#include <hpspmd/error.hpp>
#include <string>

namespace hpspmd::detail::transport {
namespace {

std::size_t largestPart = std::size_t{1} << 30;
constexpr std::uint64_t tags = 32749;  // MPI grants tags up to 32767 at least

int shortened(std::uint64_t tag) { return static_cast<int>(tag % tags); }

/// Calls part(pointer, bytes, isLast) for each part of a message; a message of no bytes is one.
template <class Pointer, class Part>
void inParts(Pointer data, std::size_t bytes, Part part) {
    while (bytes > largestPart) {
        part(data, largestPart, false);
        data += largestPart;
        bytes -= largestPart;
    }
    part(data, bytes, true);
}

}  // namespace

void setLargestPart(std::size_t bytes) { largestPart = bytes; }

void TransportTraffic::receive(const Entered& entered, std::uint64_t tag, void* to,
                               std::size_t bytes, int process, const Arrival& arrival) {
    char* const begin = static_cast<char*>(to);
    inParts(begin, bytes, [&](char* data, std::size_t size, bool isLast) {
        Part& part = open_.emplace_back(
            Part{{}, static_cast<std::ptrdiff_t>(size), isLast ? arrival : Arrival{}, begin, data});
        part.request = jobTransport().receive(Subject::Collectives, data, size, process,
                                              shortened(tag), entered.where);
    });
}

void TransportTraffic::send(const Entered& entered, std::uint64_t tag, const void* data,
                            std::size_t bytes, int process) {
    inParts(static_cast<const char*>(data), bytes, [&](const char* from, std::size_t size, bool) {
        Part& part = open_.emplace_back(Part{{}, -1, {}, nullptr, nullptr});
        part.request = jobTransport().send(Subject::Collectives, from, size, process,
                                           shortened(tag), false, entered.where);
    });
}

bool TransportTraffic::isReceiving(const void* begin, std::size_t bytes) const {
    constexpr std::ptrdiff_t near = 1 << 16;  // the largest pages but huge ones
    const char* const first = static_cast<const char*>(begin);
    const char* const last = first + bytes;
    for (const Part& part : open_)
        if (part.expected > 0 && part.request.isOpen && first - near < part.to + part.expected &&
            part.to < last + near)
            return true;
    return false;
}

bool TransportTraffic::advance(Part& part, const Entered& entered) {
    std::size_t bytes = 0;
    try {
        std::size_t* const received = part.expected >= 0 ? &bytes : nullptr;
        if (!jobTransport().test(part.request, received, entered.where)) return false;
        if (received != nullptr && bytes != static_cast<std::size_t>(part.expected))
            throw MpiError("a message of " + std::to_string(bytes) + " bytes came instead of " +
                               std::to_string(part.expected),
                           entered.where);
    } catch (...) {
        explainMismatch(entered);
        throw;
    }
    if (part.arrival.run) {
        const WorkInWait work;
        part.arrival.run(part.arrival.context, part.data);
    }
    return true;
}

bool TransportTraffic::advance(const Entered& entered) {
    bool complete = true;
    for (Part& part : open_)
        if (part.request.isOpen) complete &= advance(part, entered);
    return complete;
}

bool TransportTraffic::isOpen() const {
    return std::any_of(open_.begin(), open_.end(),
                       [](const Part& part) { return part.request.isOpen; });
}

void TransportTraffic::abandon() {
    for (Part& part : open_) jobTransport().abandon(part.request, part.expected >= 0);
    open_.clear();
}

}  // namespace hpspmd::detail::transport
