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

void sendTo(const void* data, std::size_t bytes, int peer) {
    Messages messages;
    messages.send(data, bytes, peer);
    messages.wait();
}

void receiveFrom(void* to, std::size_t bytes, int peer) {
    Messages messages;
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

void combine(const Group& g, void* data, std::size_t bytes, const Combiner& combiner) {
    if (g.size() == 1 || bytes == 0) return;
    const Doubling doubling(g);
    const int rank = g.rank();
    std::vector<char> other(bytes);

    if (doubling.isPaired(rank) && rank % 2 == 0) {
        sendTo(data, bytes, member(g, rank + 1));
        receiveFrom(data, bytes, member(g, rank + 1));
        return;
    }
    if (doubling.isPaired(rank)) {
        receiveFrom(other.data(), bytes, member(g, rank - 1));
        combineOrdered(data, other, true, combiner);
    }
    const int place = doubling.placeOf(rank);
    for (int distance = 1; distance < doubling.places(); distance *= 2) {
        const int partner = place ^ distance;
        exchange(data, other.data(), bytes, doubling.process(partner));
        combineOrdered(data, other, partner < place, combiner);
    }
    if (doubling.isPaired(rank)) sendTo(data, bytes, member(g, rank - 1));
}

void broadcast(const Group& g, int root, void* data, std::size_t bytes) {
    const int size = g.size();
    const int place = (g.rank() - root + size) % size;  // the root is place 0
    int distance = 1;
    while (distance < size && !(place & distance)) distance *= 2;
    if (place != 0) receiveFrom(data, bytes, member(g, (place - distance + root) % size));
    Messages messages;
    for (distance /= 2; distance > 0; distance /= 2)
        if (place + distance < size)
            messages.send(data, bytes, member(g, (place + distance + root) % size));
    messages.wait();
}

void synchronize(const Group& g) {
    char token = 0;
    combine(g, &token, 1, {[](void*, const void*, std::size_t, const void*) {}});
}

}  // namespace hpspmd::detail::transport
