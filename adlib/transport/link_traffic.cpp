// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/link_traffic.hpp"

#include "transport/work_in_wait.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace hpspmd::detail::transport {
namespace {

/// Up to here a copy is cheaper than to wait until the receiver has read the elements.
constexpr std::size_t copiedBytes = 8192;

/// Of a long message: what both sides copy at a time, and what is on its way at most.
constexpr std::size_t mostAtOnce = std::size_t{64} << 10;
constexpr std::size_t ringBytes = (std::size_t{512} << 10) - sizeof(Ring);

/// The bytes follow their ring.
RingBytes bytesOf(Ring* ring) {
    return {*ring, reinterpret_cast<char*>(ring) + sizeof(Ring), ringBytes};
}

}  // namespace

LinkTraffic::Lane& LinkTraffic::laneTo(const Peer& peer) {
    for (Lane& lane : lanes_)
        if (lane.peer.link == peer.link) return lane;
    lanes_.emplace_back().peer = peer;
    return lanes_.back();
}

void LinkTraffic::receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival) {
    laneTo(peer).arriving.push_back(
        {peer.link->in.expect(), static_cast<char*>(to), bytes, arrival});
}

void LinkTraffic::send(const Entered& entered, const void* data, std::size_t bytes,
                       const Peer& peer) {
    Lane& lane = laneTo(peer);
    lane.departing.push_back({peer.link->out.promise(), data, {}, {}, bytes, false});
    postFree(lane, entered);
}

void LinkTraffic::send(const Entered& entered, const Departure& departure, std::size_t bytes,
                       const Peer& peer) {
    send(entered, departure, Shown(), bytes, peer);
}

void LinkTraffic::send(const Entered& entered, const Departure& departure, const Shown& stretch,
                       std::size_t bytes, const Peer& peer) {
    Lane& lane = laneTo(peer);
    lane.departing.push_back({peer.link->out.promise(), nullptr, stretch, departure, bytes, false});
    postFree(lane, entered);
}

/// Posts a message whose slot is free.
void LinkTraffic::post(Lane& lane, Departing& message, const Entered& entered) {
    const WorkInWait work;
    const std::uint64_t number = message.number;
    const void* const data = message.data;
    const Departure& departure = message.departure;
    const std::size_t bytes = message.bytes;
    Link& link = *lane.peer.link;
    const auto writeTo = [&](void* out) {
        if (departure.run != nullptr)
            departure.run(departure.context, static_cast<char*>(out));
        else
            std::memcpy(out, data, bytes);
    };
    if (message.stretch.begin != nullptr) {
        postStretch(lane, message, entered);
    } else if (bytes <= Channel::inlineBytes) {
        writeTo(link.out.dataInSlot(number));
        link.out.post(number, entered.tag, bytes, Channel::inSlot);
    } else if (data != nullptr && bytes > copiedBytes && Link::isVisible(data, bytes)) {
        link.out.post(number, entered.tag, bytes, Link::placeOf(data));
        message.isRead = true;
    } else if (std::byte* const room = link.room(number, bytes)) {
        writeTo(room);
        link.out.post(number, entered.tag, bytes, Link::placeOf(room));
    } else {
        postLong(lane, message, entered);
    }
}

void LinkTraffic::postStretch(Lane& lane, Departing& message, const Entered& entered) {
    if (!Link::isVisible(message.stretch.begin, message.stretch.bytes))
        return postLong(lane, message, entered);
    lane.peer.link->out.post(message.number, entered.tag, message.bytes,
                             Link::placeOf(message.stretch.begin));
    message.isRead = true;
}

void LinkTraffic::postLong(Lane& lane, Departing& message, const Entered& entered) {
    if (message.stretch.isMessage) {
        message.data = message.stretch.begin;
    } else if (message.departure.run != nullptr) {
        char* const composed = spareRoom(message.bytes);
        message.departure.run(message.departure.context, composed);
        message.data = composed;
    }
    Link& link = *lane.peer.link;
    if (std::byte* const room = link.room(message.number, sizeof(Ring) + ringBytes)) {
        message.ring = new (room) Ring{};
        link.out.post(message.number, entered.tag, message.bytes,
                      Link::placeOf(room) | Channel::inPieces, true);
        return;
    }
    byTransport_.send(entered, message.number, message.data, message.bytes, lane.peer.process);
    link.out.post(message.number, entered.tag, message.bytes, Channel::elsewhere, true);
}

/// True once all are in the ring, or if the receiver has given up.
bool LinkTraffic::writePieces(const Lane& lane, Departing& message) {
    const Outlet& out = lane.peer.link->out;
    if (out.isTaken(message.number)) return true;
    RingBytes ring = bytesOf(message.ring);
    const char* const data = static_cast<const char*>(message.data);
    while (message.written < message.bytes) {
        const std::size_t left = message.bytes - message.written;
        const std::size_t count = ring.put(data + message.written, std::min(left, mostAtOnce));
        if (count == 0) return false;
        message.written += count;
        ++progress_;
        out.ring();
    }
    return true;
}

char* LinkTraffic::spareRoom(std::size_t bytes) {
    return spare_.emplace_back(new char[bytes]).get();
}

void LinkTraffic::postFree(Lane& lane, const Entered& entered) {
    const Outlet& out = lane.peer.link->out;
    for (; lane.posted < lane.departing.size(); ++lane.posted, ++progress_) {
        Departing& message = lane.departing[lane.posted];
        if (!out.isFree(message.number)) break;
        post(lane, message, entered);
    }
    for (; lane.done < lane.posted; ++lane.done) {
        Departing& message = lane.departing[lane.done];
        if (message.isRead && !out.isTaken(message.number)) break;
        if (message.ring != nullptr && !writePieces(lane, message)) break;
    }
}

/// A message that has come, or a piece of it; true if that was all.
bool LinkTraffic::take(Lane& lane, Arriving& message, const Entered& entered) {
    const WorkInWait work;
    Inlet& in = lane.peer.link->in;
    const Channel::Slot& slot = *in.arrived(message.number);
    if (slot.tag != entered.tag || slot.bytes != message.bytes)
        raiseOtherCollective(entered, lane.peer.process, slot.tag);
    if (slot.place == Channel::elsewhere)
        byTransport_.receive(entered, message.number,
                             message.to != nullptr ? message.to : spareRoom(message.bytes),
                             message.bytes, lane.peer.process, message.arrival);
    else if (Inlet::comesInPieces(slot)) {
        if (!readPieces(lane, message, entered)) return false;
    } else if (message.arrival.read)
        message.arrival.read(message.arrival.context, in.data(slot));
    else if (message.arrival.run)
        message.arrival.run(message.arrival.context, in.data(slot));
    else
        std::memcpy(message.to, in.data(slot), message.bytes);
    in.take(message.number);
    return true;
}

/// True once all have come, and the message has arrived.
bool LinkTraffic::readPieces(Lane& lane, Arriving& message, const Entered& entered) {
    const Inlet& in = lane.peer.link->in;
    const char* const place = in.data(*in.arrived(message.number));
    // Nothing but the count of what has been read is written there.
    RingBytes ring = bytesOf(reinterpret_cast<Ring*>(const_cast<char*>(place)));
    if (message.to == nullptr) message.to = spareRoom(message.bytes);
    while (message.read < message.bytes) {
        const bool isBroken = ring.ring().isBroken.load(std::memory_order_acquire);
        const std::size_t left = message.bytes - message.read;
        const std::size_t count = ring.get(message.to + message.read, std::min(left, mostAtOnce));
        if (count == 0 && isBroken) raiseOtherCollective(entered, lane.peer.process, 0);
        if (count == 0) return false;
        message.read += count;
        ++progress_;
        in.ring();
    }
    if (message.arrival.run) message.arrival.run(message.arrival.context, message.to);
    return true;
}

void LinkTraffic::takeArrived(Lane& lane, const Entered& entered) {
    const Inlet& in = lane.peer.link->in;
    for (; lane.taken < lane.arriving.size(); ++lane.taken, ++progress_) {
        Arriving& message = lane.arriving[lane.taken];
        if (in.arrived(message.number) == nullptr || !take(lane, message, entered)) return;
    }
}

bool LinkTraffic::advance(const Entered& entered) {
    bool complete = true;
    for (Lane& lane : lanes_) {
        takeArrived(lane, entered);
        postFree(lane, entered);
        complete &= lane.isComplete();
    }
    return complete;
}

/// What waits for a slot goes on with the first that is taken.
void LinkTraffic::addAwaited(Awaited& all) const {
    for (const Lane& lane : lanes_) {
        const std::size_t place = lane.peer.link->place;
        if (lane.taken < lane.arriving.size()) all.events |= Bell::events(Bell::Posted, place);
        if (lane.done < lane.departing.size()) all.events |= Bell::events(Bell::Taken, place);
        all.first |= lane.posted < lane.departing.size();
    }
}

void LinkTraffic::clear() {
    for (Lane& lane : lanes_) {
        lane.arriving.clear();
        lane.departing.clear();
        lane.taken = lane.posted = lane.done = 0;
    }
    spare_.clear();
}

/// What has come is dropped; what has not been posted comes as a message of no collective, as does
/// the rest of what is in pieces.
void LinkTraffic::abandon() {
    for (Lane& lane : lanes_) {
        Link& link = *lane.peer.link;
        for (std::size_t k = lane.taken; k < lane.arriving.size(); ++k)
            if (const std::uint64_t number = lane.arriving[k].number; link.in.arrived(number))
                link.in.take(number);
        for (std::size_t k = lane.done; k < lane.posted; ++k)
            if (Ring* const ring = lane.departing[k].ring) {
                ring->isBroken.store(true, std::memory_order_release);
                link.out.ring();
            }
        for (std::size_t k = lane.posted; k < lane.departing.size(); ++k)
            if (const std::uint64_t number = lane.departing[k].number; link.out.isFree(number))
                link.out.post(number, 0, 0, Channel::inSlot, true);
    }
    clear();
}

}  // namespace hpspmd::detail::transport
