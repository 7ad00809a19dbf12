// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/notes.hpp"

#include "transport/messages.hpp"

namespace hpspmd::detail::transport {

void exchangeNotes(const Entered& entered, const Group& g, const void* outgoing, void* incoming,
                   std::size_t bytes) {
    static auto& messages = *new Messages;
    messages.begin(entered);
    const int size = g.size(), rank = g.rank();
    for (int k = 1; k < size; ++k) {
        const int other = (rank + k) % size;
        const std::size_t place = static_cast<std::size_t>(other) * bytes;
        const Peer peer = member(g, other);
        messages.receive(static_cast<char*>(incoming) + place, bytes, peer);
        messages.send(static_cast<const char*>(outgoing) + place, bytes, peer);
    }
    messages.wait();
}

}  // namespace hpspmd::detail::transport
