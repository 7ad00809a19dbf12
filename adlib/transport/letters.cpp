// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/letters.hpp"

#include <algorithm>

#include "plan/announcements.hpp"
#include "transport/envelopes.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

using plan::Announcement;
using plan::bytesBehind;
using plan::Packet;

Packet packed(const std::vector<Announcement>& list) {
    Packet packet;
    packet.count = list.size();
    std::copy_n(list.begin(), std::min(list.size(), Packet::room), packet.first.begin());
    return packet;
}

/// Sends a list to one peer and adds to `held` the list that comes from another.
void passOn(Messages& messages, const std::vector<Announcement>& list, const Peer& next,
            std::vector<Announcement>& held, const Peer& before) {
    constexpr std::size_t room = Packet::room;
    const std::size_t had = held.size();
    const Packet out = packed(list);
    Packet in;
    messages.receive(&in, sizeof in, before);
    messages.send(&out, sizeof out, next);
    messages.wait();
    held.resize(had + in.count);
    std::copy_n(in.first.begin(), std::min<std::size_t>(in.count, room), held.begin() + had);
    if (bytesBehind(in.count) > 0)
        messages.receive(&held[had + room], bytesBehind(in.count), before);
    if (bytesBehind(out.count) > 0) messages.send(&list[room], bytesBehind(out.count), next);
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
