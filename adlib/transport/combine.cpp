#include "transport/combine.hpp"

#include <cstring>
#include <vector>

#include "transport/messages.hpp"

namespace hpspmd::detail::transport {
namespace {

/// The largest power of two that is at most `size`.
int powerBelow(int size) {
    int power = 1;
    while (power <= size / 2) power *= 2;
    return power;
}

void sendTo(const Entered& entered, const void* data, std::size_t bytes, int peer) {
    Messages messages;
    messages.begin(entered);
    messages.send(data, bytes, peer);
    messages.wait();
}

void receiveFrom(const Entered& entered, void* to, std::size_t bytes, int peer) {
    Messages messages;
    messages.begin(entered);
    messages.receive(to, bytes, peer);
    messages.wait();
}

/// Recursive doubling over 2^k "places", in rank order. The first `pairs` places stand for two
/// members each, of which the upper one works.
class Doubling {
public:
    explicit Doubling(const Group& g)
        : group_(g), places_(powerBelow(g.size())), pairs_(g.size() - places_) {}

    int places() const { return places_; }
    bool isPaired(int rank) const { return rank < 2 * pairs_; }
    int placeOf(int rank) const { return isPaired(rank) ? rank / 2 : rank - pairs_; }

    /// The process that works for a place.
    int process(int place) const {
        return member(group_, place < pairs_ ? 2 * place + 1 : place + pairs_);
    }

private:
    Group group_;
    int places_, pairs_;
};

/// mine = lower o upper, computed alike at both ends.
void combineOrdered(void* mine, std::vector<char>& other, bool otherIsLower,
                    const Combiner& combiner) {
    if (!otherIsLower) {
        combiner(mine, other.data(), other.size());
        return;
    }
    combiner(other.data(), mine, other.size());
    std::memcpy(mine, other.data(), other.size());
}

}  // namespace

void combine(const Entered& entered, const Group& g, void* data, std::size_t bytes,
             const Combiner& combiner) {
    if (g.size() == 1 || bytes == 0) return;
    const Doubling doubling(g);
    const int rank = g.rank();
    std::vector<char> other(bytes);

    if (doubling.isPaired(rank) && rank % 2 == 0) {
        sendTo(entered, data, bytes, member(g, rank + 1));
        receiveFrom(entered, data, bytes, member(g, rank + 1));
        return;
    }
    if (doubling.isPaired(rank)) {
        receiveFrom(entered, other.data(), bytes, member(g, rank - 1));
        combineOrdered(data, other, true, combiner);
    }
    const int place = doubling.placeOf(rank);
    for (int distance = 1; distance < doubling.places(); distance *= 2) {
        const int partner = place ^ distance;
        exchange(entered, data, other.data(), bytes, doubling.process(partner));
        combineOrdered(data, other, partner < place, combiner);
    }
    if (doubling.isPaired(rank)) sendTo(entered, data, bytes, member(g, rank - 1));
}

void broadcast(const Entered& entered, const Group& g, int root, void* data, std::size_t bytes) {
    const int size = g.size();
    const int place = (g.rank() - root + size) % size;  // the root is place 0
    int distance = 1;
    while (distance < size && !(place & distance)) distance *= 2;
    if (place != 0) receiveFrom(entered, data, bytes, member(g, (place - distance + root) % size));
    Messages messages;
    messages.begin(entered);
    for (distance /= 2; distance > 0; distance /= 2)
        if (place + distance < size)
            messages.send(data, bytes, member(g, (place + distance + root) % size));
    messages.wait();
}

}  // namespace hpspmd::detail::transport
