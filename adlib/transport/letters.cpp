#include "transport/letters.hpp"

#include <cstdint>

#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

/// The length of the letter from each member, by rank.
std::vector<std::uint64_t> lengths(const Entered& entered, const Group& g, const Letters& letters) {
    const int size = g.size(), rank = g.rank();
    std::vector<std::uint64_t> outgoing(size), incoming(size);
    Messages messages;
    messages.begin(entered);
    for (int k = 1; k < size; ++k) {
        const int peer = (rank + k) % size;
        const auto letter = letters.find(member(g, peer));
        outgoing[peer] = letter == letters.end() ? 0 : letter->second.size();
        messages.receive(&incoming[peer], sizeof incoming[peer], member(g, peer));
        messages.send(&outgoing[peer], sizeof outgoing[peer], member(g, peer));
    }
    messages.wait();
    return incoming;
}

}  // namespace

Letters deliver(const Entered& entered, const Group& g, const Letters& letters) {
    const int own = member(g, g.rank());
    Letters arrived;
    if (const auto letter = letters.find(own); letter != letters.end()) arrived.insert(*letter);
    if (g.size() == 1) return arrived;
    const std::vector<std::uint64_t> incoming = lengths(entered, g, letters);
    Messages messages;
    messages.begin(entered);
    for (int k = 0; k < g.size(); ++k) {
        if (incoming[k] == 0) continue;
        std::vector<char>& letter = arrived[member(g, k)];
        letter.resize(incoming[k]);
        messages.receive(letter.data(), letter.size(), member(g, k));
    }
    for (const auto& [peer, letter] : letters)
        if (peer != own && !letter.empty()) messages.send(letter.data(), letter.size(), peer);
    messages.wait();
    return arrived;
}

}  // namespace hpspmd::detail::transport
