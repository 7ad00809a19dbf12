// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_ghosts.hpp"

#include <hpspmd/device/error.hpp>

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/checked_launches.hpp"
#include "device/device_link.hpp"
#include "device/mirror.hpp"
#include "device/plane.hpp"
#include "device/report.hpp"
#include "log.hpp"
#include "node.hpp"

#include <algorithm>
#include <cstdio>
#include <hpspmd/environment.hpp>
#include <map>
#include <set>
#include <utility>

namespace hpspmd::detail {
namespace {

using Way = std::vector<plan::Message> plan::Plan::*;
constexpr Way outwards = &plan::Plan::sends, inwards = &plan::Plan::receives;

/// By the number of the other process. All of them are between one device of this process and
/// others.
std::map<int, DeviceLink>& links() {
    static auto& all = *new std::map<int, DeviceLink>;
    return all;
}

/// The one that has links.
bool isTheOne(Backend* device) {
    static Backend* one = nullptr;
    if (device == nullptr || device->sharing() == nullptr) return false;
    if (one == nullptr) one = device;
    return one == device;
}

/// What each of the processes says, who all call this with values of their own for the others.
template <class T>
std::vector<T> exchanged(const Entered& entered, const std::vector<transport::Peer>& peers,
                         const std::vector<T>& own) {
    static transport::Messages& messages = *new transport::Messages;
    std::vector<T> theirs(peers.size());
    messages.begin(entered);
    for (std::size_t k = 0; k < peers.size(); ++k)
        messages.receive(&theirs[k], sizeof(T), peers[k]);
    for (std::size_t k = 0; k < peers.size(); ++k)
        messages.send(&own[k], sizeof(T), peers[k], {false, 0});
    messages.wait();
    return theirs;
}

/// For each of the processes, whether it has gone well at both ends.
std::vector<char> agreed(const Entered& entered, const std::vector<transport::Peer>& peers,
                         std::vector<char> own) {
    const std::vector<char> theirs = exchanged(entered, peers, own);
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = own[k] != 0 && theirs[k] != 0;
    return own;
}

}  // namespace

DeviceGhosts::DeviceGhosts(const Entered& entered, const Exchange& exchange,
                           const Exchange::Arrays& arrays)
    : entered_(entered) {
    if (!devicesMayMeet()) return;
    for (std::size_t k = 0; k < exchange.parts(); ++k) {
        const Operand& array = arrays(k);
        parts_.push_back({array.storage, array.offset, array.elementSize, &exchange.plan(k)});
    }
    std::vector<transport::Peer> peers = neighboursWithMessages();
    if (peers.empty()) return;
    requireFitting();  // before another process has the elements
    const std::vector<char> areReady =
        agreed(entered_, peers, std::vector<char>(peers.size(), areOnDevice()));
    std::size_t k = 0;
    std::erase_if(peers, [&](const transport::Peer&) { return areReady[k++] == 0; });
    connect(peers);
    for (const transport::Peer& peer : peers)
        if (links()[peer.process].works()) peers_.push_back(peer.process);
}

bool DeviceGhosts::areOnDevice() {
    for (const Part& part : parts_) {
        const Mirror* const mirror = part.storage != nullptr ? part.storage->mirror : nullptr;
        if (mirror == nullptr || mirror->state() != State::Device || !part.plan->relays.empty())
            return false;
        if (!isTheOne(mirror->device()) ||
            !prepareMoves(*mirror->device(), part.elementSize).empty())
            return false;
        device_ = mirror->device();
    }
    return true;
}

std::vector<transport::Peer> DeviceGhosts::neighboursWithMessages() const {
    std::set<int> numbers;
    for (const Part& part : parts_)
        for (const Way way : {outwards, inwards})
            for (const plan::Message& message : part.plan->*way) numbers.insert(message.peer);
    std::vector<transport::Peer> peers;
    for (const int number : numbers)
        if (const transport::Peer peer = number; peer.link != nullptr) peers.push_back(peer);
    return peers;
}

template <class F>
bool DeviceGhosts::forEachPlane(int peer, Way way, const F& f) const {
    bool isDone = true;
    std::size_t place = 0;
    for (const Part& part : parts_)
        for (const plan::Message& message : part.plan->*way) {
            if (message.peer != peer) continue;
            const std::size_t size = part.elementSize;
            place = (place + sizeof(Index) - 1) / sizeof(Index) * sizeof(Index);
            for (const plan::Region& region : message.regions)
                plan::forEachPlane(region, [&](const plan::Plane<1>& plane) {
                    if (plane.counts[0] <= 0 || plane.counts[1] <= 0) return;
                    isDone = isDone && f(part, plane, place);
                    place += static_cast<std::size_t>(plane.counts[0] * plane.counts[1]) * size;
                });
        }
    return isDone;
}

std::size_t DeviceGhosts::bytesOf(int peer, Way way) const {
    std::size_t end = 0;
    forEachPlane(peer, way, [&](const Part& part, const plan::Plane<1>& plane, std::size_t place) {
        end =
            place + static_cast<std::size_t>(plane.counts[0] * plane.counts[1]) * part.elementSize;
        return true;
    });
    return end;
}

/// Makes links that are not there yet, or too small, and with both ends' consent only.
void DeviceGhosts::connect(const std::vector<transport::Peer>& all) {
    std::vector<transport::Peer> peers;
    std::vector<DeviceLink*> made;
    for (const transport::Peer& peer : all) {
        DeviceLink& link = links()[peer.process];
        const bool isEnough = link.works() && link.holds(bytesOf(peer.process, inwards),
                                                         bytesOf(peer.process, outwards));
        if (isEnough || link.hasFailed()) continue;
        peers.push_back(peer);
        made.push_back(&link);
    }
    if (peers.empty()) return;
    std::vector<DeviceLink::Offer> own;
    for (std::size_t k = 0; k < peers.size(); ++k)
        own.push_back(made[k]->offer(*device_, bytesOf(peers[k].process, inwards)));
    const std::vector<DeviceLink::Offer> theirs = exchanged(entered_, peers, own);
    std::vector<char> isGood(peers.size(), 1);
    const auto inTurn = [&](const auto& f) {
        for (std::size_t k = 0; k < peers.size(); ++k) isGood[k] = isGood[k] != 0 && f(k);
        isGood = agreed(entered_, peers, isGood);
    };
    inTurn([&](std::size_t k) {
        return own[k].isMade != 0 &&
               made[k]->accept(*device_, theirs[k], *neighbour(peers[k].process),
                               bytesOf(peers[k].process, outwards));
    });
    inTurn([&](std::size_t k) { return made[k]->putPattern(*device_); });
    inTurn([&](std::size_t k) { return made[k]->hasGotPattern(*device_, theirs[k]); });
    for (std::size_t k = 0; k < peers.size(); ++k) {
        made[k]->agree(isGood[k] != 0);
        if (isGood[k] == 0 && isLogWanted())
            std::fprintf(stderr,
                         "hpspmd: ghost cells between processes %d and %d go by the host: %s\n",
                         ownRank(), peers[k].process, made[k]->problem().c_str());
    }
}

void DeviceGhosts::send() const {
    for (const int peer : peers_)
        if (const std::size_t bytes = bytesOf(peer, outwards); bytes > 0)
            send(links()[peer], peer, bytes);
}

void DeviceGhosts::receive() const {
    for (const int peer : peers_)
        if (bytesOf(peer, inwards) > 0) receive(links()[peer], peer);
}

void DeviceGhosts::send(DeviceLink& link, int peer, std::size_t bytes) const {
    transport::noteSent(bytes, peer);
    noteMessage(bytes);
    std::byte* const room = link.roomForNext(*device_);
    require(room != nullptr &&
            forEachPlane(peer, outwards,
                         [&](const Part& part, const plan::Plane<1>& plane, std::size_t place) {
                             const MovedPlane moved{plane.counts,
                                                    {plane.counts[1], 1},
                                                    {plane.steps[0][0], plane.steps[1][0]}};
                             return move(*device_, room + place, placeOf(part, plane), moved,
                                         part.elementSize);
                         }) &&
            link.send(*device_));
}

void DeviceGhosts::receive(DeviceLink& link, int peer) const {
    const std::byte* const message = link.next(*device_);
    require(message != nullptr &&
            forEachPlane(peer, inwards,
                         [&](const Part& part, const plan::Plane<1>& plane, std::size_t place) {
                             const MovedPlane moved{plane.counts,
                                                    {plane.steps[0][0], plane.steps[1][0]},
                                                    {plane.counts[1], 1}};
                             return move(*device_, placeOf(part, plane), message + place, moved,
                                         part.elementSize);
                         }) &&
            link.taken(*device_));
}

/// Of the first element of a plane, on the device.
std::byte* DeviceGhosts::placeOf(const Part& part, const plan::Plane<1>& plane) {
    return part.storage->mirror->memory() +
           (part.offset + plane.start[0]) * static_cast<Index>(part.elementSize);
}

void DeviceGhosts::require(bool isDone) const {
    if (!isDone)
        throw DeviceError(compose("ghost cells cannot be exchanged by ", device_->name()),
                          entered_.where);
}

}  // namespace hpspmd::detail
