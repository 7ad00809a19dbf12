// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/envelopes.hpp"

#include <algorithm>

#include "transport/messages.hpp"
#include "transport/notes.hpp"

namespace hpspmd::detail::transport {
namespace {

/// The envelope from each member, by rank; none from oneself.
const std::vector<Envelope>& envelopes(const Entered& entered, const Group& g,
                                       const Letters& letters) {
    static auto& outgoing = *new std::vector<Envelope>;
    static auto& incoming = *new std::vector<Envelope>;
    const auto size = static_cast<std::size_t>(g.size());
    outgoing.resize(size);
    incoming.resize(size);
    incoming[static_cast<std::size_t>(g.rank())].length = 0;
    for (int k = 0; k < g.size(); ++k) {
        Envelope& out = outgoing[static_cast<std::size_t>(k)];
        const auto letter = letters.find(member(g, k));
        out.length = letter == letters.end() ? 0 : letter->second.size();
        if (out.length > 0 && out.isAll())
            std::memcpy(out.letter, letter->second.data(), out.length);
    }
    exchangeNotes(entered, g, outgoing.data(), incoming.data(), sizeof(Envelope));
    return incoming;
}

}  // namespace

Letters deliverByEnvelopes(const Entered& entered, const Group& g, const Letters& letters) {
    static auto& messages = *new Messages;
    Letters arrived;
    const std::vector<Envelope>& incoming = envelopes(entered, g, letters);
    messages.begin(entered);
    for (int k = 0; k < g.size(); ++k) {
        const Envelope& envelope = incoming[static_cast<std::size_t>(k)];
        if (envelope.length == 0) continue;
        std::vector<char>& letter = arrived[member(g, k)];
        letter.assign(envelope.letter,
                      envelope.letter + std::min(envelope.length, sizeof envelope.letter));
        if (envelope.isAll()) continue;
        letter.resize(envelope.length);
        messages.receive(letter.data(), letter.size(), member(g, k));
    }
    const int own = member(g, g.rank());
    for (const auto& [peer, letter] : letters)
        if (peer != own && letter.size() > sizeof(Envelope::letter))
            messages.send(letter.data(), letter.size(), peer);
    messages.wait();
    return arrived;
}

}  // namespace hpspmd::detail::transport
