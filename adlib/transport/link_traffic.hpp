#pragma once

#include <memory>
#include <vector>

#include "links/links.hpp"
#include "transport/mpi_traffic.hpp"

namespace hpspmd::detail::transport {

/// Messages under way by links. The sender decides how a message travels, and says so in its slot:
/// a few bytes in the slot itself; what is composed, or is short, in the slot's room; what lies in
/// node memory from where it lies; all else by MPI.
class LinkTraffic {
public:
    explicit LinkTraffic(MpiTraffic& other) : byMpi_(other) {}

    void receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival);
    void send(const Entered& entered, const void* data, std::size_t bytes, const Peer& peer);
    void send(const Entered& entered, const Departure& departure, std::size_t bytes,
              const Peer& peer);

    bool advance(const Entered& entered);
    /// How many messages have been taken or posted.
    std::uint64_t progress() const { return progress_; }
    void clear();
    void abandon();

private:
    struct Arriving {
        Peer peer;
        std::uint64_t number;
        char* to;
        std::size_t bytes;
        Arrival arrival;
        bool isDone;
    };
    /// Waits for its slot, or (if posted) to be taken. With data, or to be composed.
    struct Departing {
        Peer peer;
        std::uint64_t number;
        const void* data;
        Departure departure;
        std::size_t bytes;
        bool isPosted;
    };

    bool take(Arriving& message, const Entered& entered);
    void send(const Entered& entered, Departing message);
    bool advance(Departing& message, const Entered& entered);
    bool post(const Entered& entered, const Departing& message);
    void postByMpi(const Entered& entered, const Departing& message);
    char* spareRoom(std::size_t bytes);

    MpiTraffic& byMpi_;
    std::vector<Arriving> arriving_;
    std::vector<Departing> departing_;
    std::vector<std::unique_ptr<char[]>> spare_;  // room for messages that go by MPI
    std::size_t sends_ = 0;
    std::uint64_t progress_ = 0;
};

}  // namespace hpspmd::detail::transport
