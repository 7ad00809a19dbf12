// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "links/links.hpp"

#include "arena.hpp"
#include "log.hpp"
#include "node.hpp"
#include "transport/transport.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <new>

namespace hpspmd::detail {
namespace {

std::vector<Link>& links() {
    static auto& instance = *new std::vector<Link>;
    return instance;
}

// Channels from this process to each of the node; null if there is no memory.
Channel* makeChannels(std::size_t count) {
    std::byte* const memory = nodeArena().allocate(count * sizeof(Channel));
    if (memory == nullptr) return nullptr;
    auto* const first = reinterpret_cast<Channel*>(memory);
    for (std::size_t k = 0; k < count; ++k) new (first + k) Channel;
    ownBoard().channels.store(Link::placeOf(first));
    return first;
}

bool isPiece(const Arena& arena, const void* data, std::size_t bytes) {
    return arena.reservation().contains(data) &&
           arena.reservation().contains(static_cast<const char*>(data) + bytes - 1);
}

void connect(Channel* own, bool sleeps) {
    for (std::size_t k = 0; k < neighbours().size(); ++k) {
        const Neighbour& other = neighbours()[k];
        auto* const theirs =
            reinterpret_cast<Channel*>(other.memory + other.board->channels.load());
        const Ringer ringer{sleeps ? &other.board->bell : nullptr,
                            static_cast<std::size_t>(ownPlace())};
        links().emplace_back(Outlet(own + k, ringer),
                             Inlet(theirs + ownPlace(), other.memory, other.pages, ringer), k);
    }
}

void log(int processes) {
    if (!isLogWanted() || ownPlace() != 0) return;
    std::fprintf(stderr, "hpspmd: the %d processes of this node exchange messages by %s\n",
                 processes, links().empty() ? jobTransport().name() : "shared memory");
}

}  // namespace

std::byte* Link::room(std::uint64_t number, std::size_t bytes) {
    Room& room = rooms_[number % Channel::depth];
    if (bytes <= room.bytes) return room.begin;
    if (bytes > roomBytes) return nullptr;
    if (rooms_[0].begin == nullptr)  // all at once, so that later messages find theirs
        for (Room& first : rooms_) first.grow(bytes);
    return room.grow(bytes) ? room.begin : nullptr;
}

bool Link::Room::grow(std::size_t least) {
    constexpr std::size_t smallest = 4096;
    const std::size_t larger = std::bit_ceil(std::max(least, smallest));
    if (larger <= bytes) return true;
    std::byte* const memory = nodeArena().allocate(larger);
    if (memory == nullptr) return false;
    if (begin != nullptr) nodeArena().release(begin, bytes);
    begin = memory;
    bytes = larger;
    return true;
}

std::uint64_t Link::placeOf(const void* address) {
    const auto* const byte = static_cast<const std::byte*>(address);
    if (nodeArena().reservation().contains(address))
        return static_cast<std::uint64_t>(byte - nodeArena().reservation().base());
    return static_cast<std::uint64_t>(byte - privateArena().reservation().base()) |
           Channel::visiblePages;
}

bool Link::isVisible(const void* data, std::size_t bytes) {
    if (isPiece(nodeArena(), data, bytes)) return true;
    return visiblePagesAreMapped() && isPiece(privateArena(), data, bytes) &&
           privateArena().visiblePages()->contain(data, bytes);
}

bool Link::show(const void* data, std::size_t bytes) {
    return visiblePagesAreMapped() && isPiece(privateArena(), data, bytes) &&
           privateArena().visiblePages()->show(data, bytes);
}

void openLinks(bool sleeps) {
    const int processes = jobTransport().nodeSize();
    if (processes == 1) return;
    if (!neighbours().empty()) {
        Channel* const own = makeChannels(neighbours().size());
        if (everywhereOnNode(own != nullptr)) connect(own, sleeps);
    }
    log(processes);
}

Link* linkTo(int process) {
    if (links().empty()) return nullptr;
    const Neighbour* const other = neighbour(process);
    return other ? &links()[static_cast<std::size_t>(other - neighbours().data())] : nullptr;
}

}  // namespace hpspmd::detail
