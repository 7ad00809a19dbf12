#include "transport/link_traffic.hpp"

#include <cstring>

namespace hpspmd::detail::transport {
namespace {

/// Up to here a copy is cheaper than to wait until the receiver has read the elements.
constexpr std::size_t copiedBytes = 8192;

}  // namespace

void LinkTraffic::receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival) {
    arriving_.push_back(
        {peer, peer.link->in.expect(), static_cast<char*>(to), bytes, arrival, false});
}

void LinkTraffic::send(const Entered& entered, const void* data, std::size_t bytes,
                       const Peer& peer) {
    send(entered, {peer, peer.link->out.promise(), data, {}, bytes, false});
}

void LinkTraffic::send(const Entered& entered, const Departure& departure, std::size_t bytes,
                       const Peer& peer) {
    send(entered, {peer, peer.link->out.promise(), nullptr, departure, bytes, false});
}

void LinkTraffic::send(const Entered& entered, Departing message) {
    departing_.reserve(++sends_);  // whether it will be needed depends on the moment
    if (!advance(message, entered)) departing_.push_back(message);
}

/// Posts a message whose slot is free; false if its data are still needed afterwards.
bool LinkTraffic::post(const Entered& entered, const Departing& message) {
    const auto& [peer, number, data, departure, bytes, isPosted] = message;
    Link& link = *peer.link;
    const auto writeTo = [&](void* out) {
        if (departure.run != nullptr)
            departure.run(departure.context, static_cast<char*>(out));
        else
            std::memcpy(out, data, bytes);
    };
    if (bytes <= Channel::inlineBytes) {
        writeTo(link.out.dataInSlot(number));
        link.out.post(number, entered.tag, bytes, Channel::inSlot);
        return true;
    }
    if (data != nullptr && bytes > copiedBytes && Link::isVisible(data, bytes)) {
        link.out.post(number, entered.tag, bytes, Link::placeOf(data));
        return false;
    }
    if (std::byte* const room = link.room(number, bytes)) {
        writeTo(room);
        link.out.post(number, entered.tag, bytes, Link::placeOf(room));
        return true;
    }
    postByMpi(entered, message);
    return true;
}

void LinkTraffic::postByMpi(const Entered& entered, const Departing& message) {
    const void* data = message.data;
    if (message.departure.run != nullptr) {
        char* const room = spareRoom(message.bytes);
        message.departure.run(message.departure.context, room);
        data = room;
    }
    byMpi_.send(entered, message.number, data, message.bytes, message.peer.process);
    message.peer.link->out.post(message.number, entered.tag, message.bytes, Channel::elsewhere);
}

char* LinkTraffic::spareRoom(std::size_t bytes) {
    return spare_.emplace_back(new char[bytes]).get();
}

/// True once its data are not needed any more.
bool LinkTraffic::advance(Departing& message, const Entered& entered) {
    Outlet& out = message.peer.link->out;
    if (message.isPosted) return out.isTaken(message.number);
    if (!out.isFree(message.number)) return false;
    message.isPosted = true;
    ++progress_;
    return post(entered, message);
}

bool LinkTraffic::take(Arriving& message, const Entered& entered) {
    Inlet& in = message.peer.link->in;
    const Channel::Slot* const slot = in.arrived(message.number);
    if (slot == nullptr) return false;
    if (slot->tag != entered.tag || slot->bytes != message.bytes)
        raiseOtherCollective(entered, message.peer.process, slot->tag);
    if (slot->place == Channel::elsewhere)
        byMpi_.receive(entered, message.number,
                       message.to != nullptr ? message.to : spareRoom(message.bytes), message.bytes,
                       message.peer.process, message.arrival);
    else if (message.arrival.run)
        message.arrival.run(message.arrival.context, in.data(*slot));
    else
        std::memcpy(message.to, in.data(*slot), message.bytes);
    in.take(message.number);
    ++progress_;
    return true;
}

bool LinkTraffic::advance(const Entered& entered) {
    bool complete = true;
    for (Arriving& message : arriving_) {
        if (!message.isDone) message.isDone = take(message, entered);
        complete &= message.isDone;
    }
    for (std::size_t k = departing_.size(); k-- > 0;) {
        if (advance(departing_[k], entered)) {
            departing_[k] = departing_.back();
            departing_.pop_back();
        } else {
            complete = false;
        }
    }
    return complete;
}

void LinkTraffic::clear() {
    arriving_.clear();
    spare_.clear();
    sends_ = 0;
}

/// What has come is dropped; what has not been posted comes as a message of no collective.
void LinkTraffic::abandon() {
    for (const Arriving& message : arriving_)
        if (!message.isDone && message.peer.link->in.arrived(message.number))
            message.peer.link->in.take(message.number);
    for (const Departing& message : departing_)
        if (!message.isPosted && message.peer.link->out.isFree(message.number))
            message.peer.link->out.post(message.number, 0, 0, Channel::inSlot);
    departing_.clear();
    clear();
}

}  // namespace hpspmd::detail::transport
