#include "transport/combine.hpp"

#include <algorithm>
#include <array>
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

/// From here on it is faster to exchange halves, twice, than wholes.
constexpr std::size_t longBytes = 32 << 10;
constexpr std::size_t pieceBytes = 8 << 10;

/// Some elements, one after the other.
struct Elements {
    char* begin = nullptr;
    std::size_t size = 0, count = 0;

    std::size_t bytes() const { return size * count; }
    Elements half(bool upper) const {
        const std::size_t low = count / 2;
        return upper ? Elements{begin + low * size, size, count - low} : Elements{begin, size, low};
    }
};

/// Elements of this process that those of another one are combined with.
struct Combined {
    Elements mine;
    bool otherIsLower;
    const Combiner& combiner;

    /// In pieces that stay in the nearest cache.
    void take(const char* other) const {
        if (!otherIsLower) return combiner(mine.begin, other, mine.bytes());
        alignas(64) char piece[pieceBytes];
        const std::size_t most = pieceBytes / mine.size * mine.size;
        for (std::size_t done = 0; done < mine.bytes(); done += most) {
            const std::size_t bytes = std::min(most, mine.bytes() - done);
            std::memcpy(piece, other + done, bytes);
            combiner(piece, mine.begin + done, bytes);
            std::memcpy(mine.begin + done, piece, bytes);
        }
    }
    static void takeAll(const void* combined, const char* other) {
        static_cast<const Combined*>(combined)->take(other);
    }
};

/// Memory for so many bytes that come by MPI; none for those that are read where they lie.
char* roomFor(std::size_t bytes, const Peer& peer) {
    if (peer.link != nullptr) return nullptr;
    static auto& room = *new std::vector<char>;
    if (room.size() < bytes) room.resize(bytes);
    return room.data();
}

/// Sends elements, if any, and combines others with what comes for them, if any.
void exchangeCombined(const Entered& entered, const Elements& out, const Combined& in,
                      const Peer& peer) {
    Messages& messages = reused();
    messages.begin(entered);
    if (const std::size_t bytes = in.mine.bytes(); bytes > 0)
        messages.receive(roomFor(bytes, peer), bytes, peer, {Combined::takeAll, &in});
    if (out.count > 0) messages.send(out.begin, out.bytes(), peer);
    messages.wait();
}

void exchangeElements(const Entered& entered, const Elements& out, const Elements& in,
                      const Peer& peer) {
    Messages& messages = reused();
    messages.begin(entered);
    if (in.count > 0) messages.receive(in.begin, in.bytes(), peer);
    if (out.count > 0) messages.send(out.begin, out.bytes(), peer);
    messages.wait();
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

void combineElements(const Entered& entered, const Group& g, void* data, std::size_t elementSize,
                     std::size_t count, const Combiner& combiner) {
    const Elements all{static_cast<char*>(data), elementSize, count};
    if (all.bytes() < longBytes || elementSize > pieceBytes || g.size() == 1)
        return combine(entered, g, data, all.bytes(), combiner);
    const Doubling& doubling = doublingOf(g);
    Messages::show({data, all.bytes()});
    if (doubling.role == Doubling::Lower) {
        sendTo(entered, data, all.bytes(), doubling.other);
        receiveFrom(entered, data, all.bytes(), doubling.other);
        return;
    }
    if (doubling.role == Doubling::Upper)
        exchangeCombined(entered, {}, {all, true, combiner}, doubling.other);
    const auto isUpper = [&](std::size_t round) { return (doubling.place >> round & 1) != 0; };
    std::array<Elements, 31> wholes;  // of which a half becomes this member's, in each round
    const std::size_t rounds = doubling.partners.size();
    Elements own = all;
    for (std::size_t round = 0; round < rounds; ++round) {
        wholes[round] = own;
        own = own.half(isUpper(round));
        exchangeCombined(entered, wholes[round].half(!isUpper(round)),
                         {own, isUpper(round), combiner}, doubling.partners[round]);
    }
    for (std::size_t round = rounds; round-- > 0;)
        exchangeElements(entered, wholes[round].half(isUpper(round)),
                         wholes[round].half(!isUpper(round)), doubling.partners[round]);
    if (doubling.role == Doubling::Upper) sendTo(entered, data, all.bytes(), doubling.other);
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
