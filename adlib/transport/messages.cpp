// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/messages.hpp"

#include <algorithm>
#include <cstdint>
#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fork.hpp"
#include "transport/link_traffic.hpp"
#include "transport/sent.hpp"

namespace hpspmd::detail::transport {

Peer::Peer(int process) : process(process), link(linkTo(process)) {}

struct Messages::Sets {
    Entered entered;
    bool isBegun = false;  ///< there are messages
    TransportTraffic mpi;
    LinkTraffic links{mpi};
    std::vector<std::pair<int, std::uint64_t>> observed;  ///< awaited: from whom, and which number

    bool advance() {
        const bool linksComplete = links.advance(entered);
        return mpi.advance(entered) && linksComplete;
    }
    void abandon() {
        links.abandon();
        mpi.abandon();
    }
    void observeArrivals() {
        for (const auto& [process, number] : observed)
            if (observer != nullptr) observer->arrives(process, number);
        observed.clear();
    }
    void addAwaited(Awaited& all) const {
        links.addAwaited(all);
        all.messages |= mpi.isOpen();
    }
};

namespace {

/// The sets that have messages and are not complete, mostly one. A wait for one of them advances
/// all: its messages may be behind others of a set that is waited for later.
std::vector<void*>& begun() {
    static auto& sets = *new std::vector<void*>;
    return sets;
}

/// The collective that failed under way.
std::optional<Entered> failed;

SentSoFar sent;

/// Where an observer sees single messages: how many have been posted to each process, and from it.
std::map<int, std::uint64_t> postedTo, postedFrom;

void observeDeparture(const Peer& peer) {
    if (observer != nullptr && observer->wants().messages)
        observer->departs(peer.process, ++postedTo[peer.process]);
}

void observeBytes(std::size_t bytes, const Peer& peer) {
    ++sent.messages;
    sent.bytes += bytes;
    if (observer != nullptr) Telling::sends(peer.process, bytes);
}

void observeSent(std::size_t bytes, const Peer& peer, const Told& told = {}) {
    observeDeparture(peer);
    if (told.isTold) observeBytes(told.bytes > 0 ? told.bytes : bytes, peer);
}

[[noreturn]] void raiseAfterFailure(const Entered& entered) {
    throw AdlibError(std::string(entered.name) + ": " + failed->name + " (" + failed->where.file +
                         ":" + std::to_string(failed->where.line) +
                         ") failed under way in this process, which can take part in no " +
                         "communication any more",
                     entered.where);
}

}  // namespace

SentSoFar sentSoFar() { return sent; }

void noteSent(std::size_t bytes, const Peer& peer) { observeBytes(bytes, peer); }

Messages::Messages() : sets_(std::make_unique<Sets>()) {}
Messages::~Messages() {
    if (sets_->isBegun && environmentRuns()) sets_->abandon();
    end();
}

void Messages::begin(const Entered& entered) { sets_->entered = entered; }

void Messages::open() {
    if (failed) raiseAfterFailure(sets_->entered);
    if (!std::exchange(sets_->isBegun, true)) begun().push_back(sets_.get());
}

void Messages::end() {
    if (!std::exchange(sets_->isBegun, false)) return;
    auto& sets = begun();
    sets.erase(std::remove(sets.begin(), sets.end(), sets_.get()), sets.end());
}

template <class F>
void Messages::guarded(const F& f) {
    try {
        f();
    } catch (...) {
        failed = sets_->entered;
        end();
        sets_->abandon();
        throw;
    }
}

void Messages::receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival) {
    open();
    if (observer != nullptr && observer->wants().messages)
        sets_->observed.emplace_back(peer.process, ++postedFrom[peer.process]);
    guarded([&] {
        if (peer.link != nullptr)
            sets_->links.receive(to, bytes, peer, arrival);
        else
            sets_->mpi.receive(sets_->entered, sets_->entered.tag, to, bytes, peer.process,
                               arrival);
    });
}

void Messages::send(const void* data, std::size_t bytes, const Peer& peer, const Told& told) {
    open();
    observeSent(bytes, peer, told);
    guarded([&] {
        if (peer.link != nullptr)
            sets_->links.send(sets_->entered, data, bytes, peer);
        else
            sets_->mpi.send(sets_->entered, sets_->entered.tag, data, bytes, peer.process);
    });
}

void Messages::send(const Departure& departure, char* buffer, std::size_t bytes, const Peer& peer,
                    const Told& told) {
    if (peer.link == nullptr) {
        departure.run(departure.context, buffer);
        return send(buffer, bytes, peer, told);
    }
    open();
    observeSent(bytes, peer, told);
    guarded([&] { sets_->links.send(sets_->entered, departure, bytes, peer); });
}

void Messages::poll() {
    if (!sets_->isBegun) return;
    requireNoChild(sets_->entered.name, sets_->entered.where);
    guarded([&] { sets_->advance(); });
}

void Messages::send(const Departure& departure, const Shown& stretch, std::size_t bytes,
                    const Peer& peer) {
    open();
    observeSent(bytes, peer);
    guarded([&] { sets_->links.send(sets_->entered, departure, stretch, bytes, peer); });
}

void Messages::show(const Shown& stretch) {
    if (Link::isVisible(stretch.begin, stretch.bytes)) return;
    for (const void* set : begun())
        if (static_cast<const Sets*>(set)->mpi.isReceiving(stretch.begin, stretch.bytes)) return;
    Link::show(stretch.begin, stretch.bytes);
}

void Messages::wait() {
    if (!sets_->isBegun) return;
    requireNoChild(sets_->entered.name, sets_->entered.where);
    const auto awaited = [] {
        Awaited all;
        for (const void* set : begun()) static_cast<const Sets*>(set)->addAwaited(all);
        all.first |= begun().size() > 1;
        return all;
    };
    guarded([&] {
        std::uint64_t progress = sets_->links.progress();
        for (Waiting waiting(sets_->entered); !sets_->advance(); waiting.pause(awaited)) {
            if (sets_->links.progress() != progress) waiting.restart();
            progress = sets_->links.progress();
            for (std::size_t k = 0; begun().size() > 1 && k < begun().size(); ++k)
                if (begun()[k] != sets_.get()) static_cast<Sets*>(begun()[k])->advance();
        }
    });
    end();
    sets_->links.clear();
    sets_->mpi.clear();
    sets_->observeArrivals();
}

bool canCommunicate() { return !failed && environmentRuns(); }

void exchange(const Entered& entered, const void* data, void* to, std::size_t bytes,
              const Peer& peer) {
    static Messages& messages = *new Messages;
    messages.begin(entered);
    messages.receive(to, bytes, peer);
    messages.send(data, bytes, peer);
    messages.wait();
}

}  // namespace hpspmd::detail::transport
