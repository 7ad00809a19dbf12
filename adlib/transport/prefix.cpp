#include "transport/prefix.hpp"

#include <cstdint>

#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

/// A vector to one member and another from one, perhaps empty; no peer (-1): nothing.
class Exchange {
public:
    Exchange(const Entered& entered, const Group& g, bool descending)
        : entered_(entered), group_(g), descending_(descending) {}

    int place() const { return memberAt(group_.rank()); }
    int size() const { return group_.size(); }

    std::vector<char> step(const std::vector<char>& outgoing, int to, int from) const {
        const std::uint64_t length = outgoing.size();
        std::uint64_t incomingLength = 0;
        std::vector<char> incoming;
        Messages messages;
        messages.begin(entered_);
        if (from >= 0) messages.receive(&incomingLength, sizeof incomingLength, process(from));
        if (to < size()) messages.send(&length, sizeof length, process(to));
        messages.wait();
        incoming.resize(incomingLength);
        if (incomingLength > 0) messages.receive(incoming.data(), incoming.size(), process(from));
        if (to < size() && length > 0) messages.send(outgoing.data(), length, process(to));
        messages.wait();
        return incoming;
    }

private:
    /// Places and ranks, each from the other.
    int memberAt(int place) const { return descending_ ? size() - 1 - place : place; }
    int process(int place) const { return member(group_, memberAt(place)); }

    const Entered& entered_;
    Group group_;
    bool descending_;
};

/// earlier o later, either of which may be nothing.
std::vector<char> joined(std::vector<char> earlier, std::vector<char> later,
                         const Combiner& combiner) {
    if (earlier.empty()) return later;
    if (!later.empty()) combiner(earlier.data(), later.data(), earlier.size());
    return earlier;
}

}  // namespace

std::vector<char> before(const Entered& entered, const Group& g, bool descending,
                         std::vector<char> mine, const Combiner& combiner) {
    const Exchange exchange(entered, g, descending);
    std::vector<char> all;  // of those before that are known so far
    for (int distance = 1; distance < exchange.size(); distance *= 2) {
        const int place = exchange.place();
        const std::vector<char> other = exchange.step(mine, place + distance, place - distance);
        all = joined(other, std::move(all), combiner);
        mine = joined(other, std::move(mine), combiner);
    }
    return all;
}

}  // namespace hpspmd::detail::transport
