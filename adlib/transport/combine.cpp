// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

    bool hasPairs() const { return pairs_ > 0; }

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

constexpr std::size_t pieceBytes = 8 << 10;

/// Elements of this process that those of another one are combined with.
struct Combined {
    Elements mine = {};
    bool otherIsLower = false;
    const Combiner* combiner = nullptr;

    /// In pieces that stay in the nearest cache.
    void take(const char* other) const {
        if (!otherIsLower) return (*combiner)(mine.begin, other, mine.bytes());
        alignas(64) char piece[pieceBytes];
        const std::size_t most = pieceBytes / mine.size * mine.size;
        for (std::size_t done = 0; done < mine.bytes(); done += most) {
            const std::size_t bytes = std::min(most, mine.bytes() - done);
            std::memcpy(piece, other + done, bytes);
            (*combiner)(piece, mine.begin + done, bytes);
            std::memcpy(mine.begin + done, piece, bytes);
        }
    }
    static void takeAll(const void* combined, const char* other) {
        static_cast<const Combined*>(combined)->take(other);
    }
};

}  // namespace

// From here on it is faster to exchange halves, twice, than wholes.
bool isByHalves(std::size_t size, std::size_t count) {
    constexpr std::size_t longBytes = 32 << 10;
    return size * count >= longBytes && size <= pieceBytes;
}

/// One combination under way. In each round a member exchanges elements with a partner and combines
/// what comes with its own: wholes with wholes; or, of long ones, the half that the partner leaves
/// to it, and what has been combined comes back the same way.
struct Combination::State {
    Messages messages;
    const Doubling* doubling = nullptr;
    Elements all;
    Combiner combiner{};
    bool byHalves = false;
    std::vector<char> other;          // what comes, if it comes by MPI or in wholes
    std::array<Combined, 31> rounds;  // what is combined in each
    Combined first;                   // with the other member of the own place

    bool isUpper(std::size_t round) const { return (doubling->place >> round & 1) != 0; }

    /// Posts the messages of a round.
    void post(std::size_t round) {
        const Peer& partner = doubling->partners[round];
        const Elements whole = round == 0 || !byHalves ? all : rounds[round - 1].mine;
        rounds[round] = {byHalves ? whole.half(isUpper(round)) : whole, isUpper(round), &combiner};
        receive(rounds[round], partner);
        send(byHalves ? whole.half(!isUpper(round)) : whole, partner);
    }

    void receive(const Combined& in, const Peer& peer) {
        const std::size_t bytes = in.mine.bytes();
        if (bytes == 0) return;
        if (!byHalves) return messages.receive(room(bytes), bytes, peer);
        messages.receive(peer.link == nullptr ? room(bytes) : nullptr, bytes, peer,
                         {Combined::takeAll, &in});
    }
    void send(const Elements& out, const Peer& peer) {
        if (out.count > 0) messages.send(out.begin, out.bytes(), peer);
    }
    /// Completes what has been posted.
    void take(const Combined& in) {
        messages.wait();
        if (!byHalves)
            combineOrdered(in.mine.begin, other.data(), in.mine.bytes(), in.otherIsLower, combiner);
    }
    char* room(std::size_t bytes) {
        if (other.size() < bytes) other.resize(bytes);
        return other.data();
    }

    /// Puts the halves together again, the smallest first.
    void returnHalves() {
        for (std::size_t round = doubling->partners.size(); round-- > 0;) {
            const Elements& whole = round == 0 ? all : rounds[round - 1].mine;
            const Elements theirs = whole.half(!isUpper(round));
            const Peer& partner = doubling->partners[round];
            if (theirs.count > 0) messages.receive(theirs.begin, theirs.bytes(), partner);
            send(rounds[round].mine, partner);
            messages.wait();
        }
    }
};

Combination::Combination() : state_(std::make_unique<State>()) {}
Combination::~Combination() = default;

// Each message is posted in the same one of the two steps at both of its ends, as their order
// wants: in the first step those within pairs, if there are pairs, else those of the first round.
void Combination::start(const Entered& entered, const Group& g, const Elements& elements,
                        const Combiner& combiner, const Communication& told) {
    State& state = *state_;
    state.all = elements;
    state.doubling = nullptr;
    if (elements.bytes() == 0) return;
    // A process alone tells it, too: hpcc bill works out what others would send.
    observe(told.plan != nullptr
                ? told
                : Communication{"combine", nullptr, g.record(), elements.size, elements.count});
    if (g.size() == 1) return;
    state.doubling = &doublingOf(g);
    state.combiner = combiner;
    state.byHalves = isByHalves(elements.size, elements.count);
    state.messages.begin(entered);
    if (state.byHalves) Messages::show({elements.begin, elements.bytes()});
    state.first = {elements, true, &state.combiner};
    if (state.doubling->role == Doubling::Lower)
        state.send(elements, state.doubling->other);
    else if (state.doubling->role == Doubling::Upper)
        state.receive(state.first, state.doubling->other);
    else if (!state.doubling->hasPairs())
        state.post(0);
}

void Combination::finish() {
    State& state = *state_;
    if (state.doubling == nullptr) return;
    const Doubling& doubling = *state.doubling;
    if (doubling.role == Doubling::Lower) {
        state.messages.wait();
        state.messages.receive(state.all.begin, state.all.bytes(), doubling.other);
        state.messages.wait();
        return;
    }
    if (doubling.role == Doubling::Upper) state.take(state.first);
    for (std::size_t round = 0; round < doubling.partners.size(); ++round) {
        if (round > 0 || doubling.hasPairs()) state.post(round);
        state.take(state.rounds[round]);
    }
    if (state.byHalves) state.returnHalves();
    if (doubling.role == Doubling::Upper) {
        state.send(state.all, doubling.other);
        state.messages.wait();
    }
}

void combine(const Entered& entered, const Group& g, const Elements& elements,
             const Combiner& combiner) {
    static auto& combination = *new Combination;
    combination.start(entered, g, elements, combiner);
    combination.finish();
}

void broadcast(const Entered& entered, const Group& g, int root, void* data, std::size_t bytes) {
    const int size = g.size();
    observe({"broadcast", nullptr, g.record(), bytes, 0});
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
