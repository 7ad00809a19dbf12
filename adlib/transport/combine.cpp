#include "transport/combine.hpp"

#include <cstring>
#include <unordered_map>
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

Messages& reused() {
    static Messages& messages = *new Messages;
    return messages;
}

void sendTo(const Entered& entered, const void* data, std::size_t bytes, const Peer& to) {
    Messages& messages = reused();
    messages.begin(entered);
    messages.send(data, bytes, to);
    messages.wait();
}

void receiveFrom(const Entered& entered, void* data, std::size_t bytes, const Peer& from) {
    Messages& messages = reused();
    messages.begin(entered);
    messages.receive(data, bytes, from);
    messages.wait();
}

/// Recursive doubling over 2^k "places", in rank order, as one member sees it. The first `pairs`
/// places stand for two members each, of which the upper one works.
class Doubling {
public:
    enum Role { Alone, Lower, Upper };  ///< in the own place

    explicit Doubling(const Group& g)
        : group_(g), places_(powerBelow(g.size())), pairs_(g.size() - places_) {
        const int rank = g.rank();
        if (rank < 2 * pairs_) {
            role = rank % 2 == 0 ? Lower : Upper;
            other = member(g, rank ^ 1);
        }
        place = rank < 2 * pairs_ ? rank / 2 : rank - pairs_;
        for (int distance = 1; distance < places_; distance *= 2)
            partners.emplace_back(process(place ^ distance));
    }

    Role role = Alone;
    Peer other;  ///< the other member of the own place
    int place;
    std::vector<Peer> partners;  ///< at distance 1, 2, 4, ..

private:
    /// The process that works for a place.
    int process(int place) const {
        return member(group_, place < pairs_ ? 2 * place + 1 : place + pairs_);
    }

    Group group_;
    int places_, pairs_;
};

/// Kept for each group: groups are immortal.
const Doubling& doublingOf(const Group& g) {
    static auto& known = *new std::unordered_map<const GroupRecord*, Doubling>;
    static const GroupRecord* last = nullptr;
    static const Doubling* lastDoubling = nullptr;
    if (last != g.record()) {
        lastDoubling = &known.try_emplace(g.record(), g).first->second;
        last = g.record();
    }
    return *lastDoubling;
}

/// mine = lower o upper, computed alike at both ends.
void combineOrdered(void* mine, void* other, std::size_t bytes, bool otherIsLower,
                    const Combiner& combiner) {
    if (!otherIsLower) {
        combiner(mine, other, bytes);
        return;
    }
    combiner(other, mine, bytes);
    std::memcpy(mine, other, bytes);
}

}  // namespace

void combine(const Entered& entered, const Group& g, void* data, std::size_t bytes,
             const Combiner& combiner) {
    if (g.size() == 1 || bytes == 0) return;
    static auto& other = *new std::vector<char>;
    if (other.size() < bytes) other.resize(bytes);
    const Doubling& doubling = doublingOf(g);
    if (doubling.role == Doubling::Lower) {
        sendTo(entered, data, bytes, doubling.other);
        receiveFrom(entered, data, bytes, doubling.other);
        return;
    }
    if (doubling.role == Doubling::Upper) {
        receiveFrom(entered, other.data(), bytes, doubling.other);
        combineOrdered(data, other.data(), bytes, true, combiner);
    }
    int distance = 1;
    for (const Peer& partner : doubling.partners) {
        exchange(entered, data, other.data(), bytes, partner);
        combineOrdered(data, other.data(), bytes, (doubling.place & distance) != 0, combiner);
        distance *= 2;
    }
    if (doubling.role == Doubling::Upper) sendTo(entered, data, bytes, doubling.other);
}

void broadcast(const Entered& entered, const Group& g, int root, void* data, std::size_t bytes) {
    const int size = g.size();
    const int place = (g.rank() - root + size) % size;  // the root is place 0
    int distance = 1;
    while (distance < size && !(place & distance)) distance *= 2;
    if (place != 0) receiveFrom(entered, data, bytes, member(g, (place - distance + root) % size));
    Messages& messages = reused();
    messages.begin(entered);
    for (distance /= 2; distance > 0; distance /= 2)
        if (place + distance < size)
            messages.send(data, bytes, member(g, (place + distance + root) % size));
    messages.wait();
}

}  // namespace hpspmd::detail::transport
