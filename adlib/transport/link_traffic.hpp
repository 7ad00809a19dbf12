// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <vector>

#include "links/links.hpp"
#include "transport/rings.hpp"
#include "transport/transport_traffic.hpp"

namespace hpspmd::detail::transport {

/// Messages under way by links. The sender decides how a message travels, and says so in its slot:
/// a few bytes in the slot itself; what is composed, or is short, in the slot's room; what lies in
/// visible memory from where it lies; what is longer than the room, in pieces through a ring there;
/// all by the transport if there is no room.
class LinkTraffic {
public:
    explicit LinkTraffic(TransportTraffic& other) : byTransport_(other) {}

    void receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival);
    void send(const Entered& entered, const void* data, std::size_t bytes, const Peer& peer);
    void send(const Entered& entered, const Departure& departure, std::size_t bytes,
              const Peer& peer);

    void send(const Entered& entered, const Departure& departure, const Shown& stretch,
              std::size_t bytes, const Peer& peer);

    bool advance(const Entered& entered);
    /// Adds the events that let messages go on.
    void addAwaited(Awaited& all) const;
    /// How many messages have been taken or posted.
    std::uint64_t progress() const { return progress_; }
    void clear();
    void abandon();

private:
    struct Arriving {
        std::uint64_t number;
        char* to;
        std::size_t bytes;
        Arrival arrival;
        std::size_t read = 0;  ///< of one that comes in pieces
    };
    /// With data, or to be composed, or to be read from what is shown.
    struct Departing {
        std::uint64_t number;
        const void* data;
        Shown stretch;
        Departure departure;
        std::size_t bytes;
        bool isRead;              ///< posted, and read where it lies: done once it has been taken
        Ring* ring = nullptr;     ///< posted, and travels in pieces through this
        std::size_t written = 0;  ///< of its bytes
    };
    /// The messages of one link. They are taken, posted, and done with in their order.
    struct Lane {
        Peer peer;
        std::vector<Arriving> arriving;
        std::vector<Departing> departing;
        std::size_t taken = 0, posted = 0, done = 0;

        bool isComplete() const { return taken == arriving.size() && done == departing.size(); }
    };

    Lane& laneTo(const Peer& peer);
    bool take(Lane& lane, Arriving& message, const Entered& entered);
    bool readPieces(Lane& lane, Arriving& message, const Entered& entered);
    bool writePieces(const Lane& lane, Departing& message);
    void post(Lane& lane, Departing& message, const Entered& entered);
    void postStretch(Lane& lane, Departing& message, const Entered& entered);
    void postLong(Lane& lane, Departing& message, const Entered& entered);
    void takeArrived(Lane& lane, const Entered& entered);
    void postFree(Lane& lane, const Entered& entered);
    char* spareRoom(std::size_t bytes);

    TransportTraffic& byTransport_;
    std::vector<Lane> lanes_;
    std::vector<std::unique_ptr<char[]>> spare_;  // room for long messages
    std::uint64_t progress_ = 0;
};

}  // namespace hpspmd::detail::transport
