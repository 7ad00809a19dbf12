// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/link_traffic.hpp"

#include "transport/work_in_wait.hpp"

#include <cstring>

namespace hpspmd::detail::transport {
namespace {

/// Up to here a copy is cheaper than to wait until the receiver has read the elements.
constexpr std::size_t copiedBytes = 8192;

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
        postByTransport(lane, message, entered);
    }
}

void LinkTraffic::postStretch(Lane& lane, Departing& message, const Entered& entered) {
    if (!Link::isVisible(message.stretch.begin, message.stretch.bytes))
        return postByTransport(lane, message, entered);
    lane.peer.link->out.post(message.number, entered.tag, message.bytes,
                             Link::placeOf(message.stretch.begin));
    message.isRead = true;
}

void LinkTraffic::postByTransport(Lane& lane, const Departing& message, const Entered& entered) {
    const void* data = message.data;
    if (message.departure.run != nullptr) {
        char* const room = spareRoom(message.bytes);
        message.departure.run(message.departure.context, room);
        data = room;
    }
    byTransport_.send(entered, message.number, data, message.bytes, lane.peer.process);
    lane.peer.link->out.post(message.number, entered.tag, message.bytes, Channel::elsewhere);
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
        const Departing& message = lane.departing[lane.done];
        if (message.isRead && !out.isTaken(message.number)) break;
    }
}

/// A message that has come.
void LinkTraffic::take(Lane& lane, const Arriving& message, const Entered& entered) {
    const WorkInWait work;
    Inlet& in = lane.peer.link->in;
    const Channel::Slot& slot = *in.arrived(message.number);
    if (slot.tag != entered.tag || slot.bytes != message.bytes)
        raiseOtherCollective(entered, lane.peer.process, slot.tag);
    if (slot.place == Channel::elsewhere)
        byTransport_.receive(entered, message.number,
                             message.to != nullptr ? message.to : spareRoom(message.bytes),
                             message.bytes, lane.peer.process, message.arrival);
    else if (message.arrival.read)
        message.arrival.read(message.arrival.context, in.data(slot));
    else if (message.arrival.run)
        message.arrival.run(message.arrival.context, in.data(slot));
    else
        std::memcpy(message.to, in.data(slot), message.bytes);
    in.take(message.number);
}

void LinkTraffic::takeArrived(Lane& lane, const Entered& entered) {
    const Inlet& in = lane.peer.link->in;
    for (; lane.taken < lane.arriving.size(); ++lane.taken, ++progress_) {
        const Arriving& message = lane.arriving[lane.taken];
        if (in.arrived(message.number) == nullptr) return;
        take(lane, message, entered);
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

std::uint32_t LinkTraffic::awaited() const {
    std::uint32_t events = 0;
    for (const Lane& lane : lanes_) {
        if (lane.taken < lane.arriving.size()) events |= Bell::Posted;
        if (lane.done < lane.departing.size()) events |= Bell::Taken;
    }
    return events;
}

void LinkTraffic::clear() {
    for (Lane& lane : lanes_) {
        lane.arriving.clear();
        lane.departing.clear();
        lane.taken = lane.posted = lane.done = 0;
    }
    spare_.clear();
}

/// What has come is dropped; what has not been posted comes as a message of no collective.
void LinkTraffic::abandon() {
    for (Lane& lane : lanes_) {
        Link& link = *lane.peer.link;
        for (std::size_t k = lane.taken; k < lane.arriving.size(); ++k)
            if (const std::uint64_t number = lane.arriving[k].number; link.in.arrived(number))
                link.in.take(number);
        for (std::size_t k = lane.posted; k < lane.departing.size(); ++k)
            if (const std::uint64_t number = lane.departing[k].number; link.out.isFree(number))
                link.out.post(number, 0, 0, Channel::inSlot);
    }
    clear();
}

}  // namespace hpspmd::detail::transport
