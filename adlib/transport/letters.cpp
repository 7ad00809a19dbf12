#include "transport/letters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "plan/announcements.hpp"
#include "transport/envelopes.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

using plan::Announcement;

/// What is sent in each round: how many announcements, and the first of them.
struct Packet {
    std::uint64_t count = 0;
    std::array<Announcement, 7> first;
};

Packet packed(const std::vector<Announcement>& list) {
    Packet packet;
    packet.count = list.size();
    std::copy_n(list.begin(), std::min(list.size(), packet.first.size()), packet.first.begin());
    return packet;
}

/// Announcements that have not found room in the packet.
std::size_t bytesBehind(const Packet& packet) {
    const std::size_t room = packet.first.size();
    return packet.count > room ? (packet.count - room) * sizeof(Announcement) : 0;
}

/// Sends a list to one peer and adds to `held` the list that comes from another.
void passOn(Messages& messages, const std::vector<Announcement>& list, const Peer& next,
            std::vector<Announcement>& held, const Peer& before) {
    const std::size_t room = Packet().first.size(), had = held.size();
    const Packet out = packed(list);
    Packet in;
    messages.receive(&in, sizeof in, before);
    messages.send(&out, sizeof out, next);
    messages.wait();
    held.resize(had + in.count);
    std::copy_n(in.first.begin(), std::min<std::size_t>(in.count, room), held.begin() + had);
    if (bytesBehind(in) > 0) messages.receive(&held[had + room], bytesBehind(in), before);
    if (bytesBehind(out) > 0) messages.send(&list[room], bytesBehind(out), next);
    messages.wait();
}

/// The letters that will come to this process, one for each of these, that it will write.
std::vector<Announcement> announced(Messages& messages, const Group& g,
                                    std::vector<Announcement> held) {
    const int size = g.size(), rank = g.rank();
    for (int step = 1; step < size; step *= 2) {
        const std::vector<Announcement> passed = plan::takePassedOn(held, rank, size, step);
        passOn(messages, passed, member(g, (rank + step) % size), held,
               member(g, (rank - step + size) % size));
    }
    return held;
}

/// Up to so many members a message to each is faster than a round after the other.
constexpr int few = 4;

Letters deliverByAnnouncements(const Entered& entered, const Group& g, const Letters& letters) {
    const int own = member(g, g.rank());
    Letters arrived;
    std::vector<Announcement> written;
    for (const auto& [peer, letter] : letters)
        if (peer != own && !letter.empty())
            written.push_back({g.rank(), position(g, peer), letter.size()});
    Messages messages;
    messages.begin(entered);
    for (const Announcement& each : announced(messages, g, std::move(written))) {
        std::vector<char>& letter = arrived[member(g, each.from)];
        letter.resize(each.bytes);
        messages.receive(letter.data(), letter.size(), member(g, each.from));
    }
    for (const auto& [peer, letter] : letters)
        if (peer != own && !letter.empty()) messages.send(letter.data(), letter.size(), peer);
    messages.wait();
    return arrived;
}

}  // namespace

Letters deliver(const Entered& entered, const Group& g, const Letters& letters) {
    const int own = member(g, g.rank());
    Letters arrived;
    if (g.size() > few)
        arrived = deliverByAnnouncements(entered, g, letters);
    else if (g.size() > 1)
        arrived = deliverByEnvelopes(entered, g, letters);
    if (const auto letter = letters.find(own); letter != letters.end()) arrived.insert(*letter);
    return arrived;
}

}  // namespace hpspmd::detail::transport
