#pragma once

#include <vector>

#include "links/links.hpp"
#include "transport/mpi_traffic.hpp"

namespace hpspmd::detail::transport {

/// Messages under way by links. The sender decides how a message travels, and says so in its slot:
/// a few bytes in the slot itself; what was composed in the slot's room, or is short, from there;
/// what lies in node memory from where it lies; all else by MPI.
class LinkTraffic {
public:
    explicit LinkTraffic(MpiTraffic& other) : byMpi_(other) {}

    void receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival);
    char* room(std::size_t bytes, Link& link) const;
    void send(const Entered& entered, const void* data, std::size_t bytes, const Peer& peer);

    bool advance(const Entered& entered);
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
    /// Waits for its slot, or (if posted) to be taken.
    struct Departing {
        Peer peer;
        std::uint64_t number;
        const void* data;
        std::size_t bytes;
        bool isPosted;
    };

    bool take(Arriving& message, const Entered& entered);
    bool advance(Departing& message, const Entered& entered);
    bool post(const Entered& entered, const Departing& message);

    MpiTraffic& byMpi_;
    std::vector<Arriving> arriving_;
    std::vector<Departing> departing_;
    std::size_t sends_ = 0;
};

}  // namespace hpspmd::detail::transport
