// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/device_link.hpp"

#include "arena.hpp"
#include "device/backend.hpp"
#include "device/plane.hpp"
#include "links/links.hpp"
#include "node.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr std::size_t page = 4096, smallest = std::size_t{1} << 20;

/// Both ends find the same.
std::size_t capacityFor(std::size_t bytes) { return std::bit_ceil(std::max(bytes, smallest)); }

/// A page of memory that the node sees; null if there is none.
std::byte* newPage() {
    std::byte* const memory = nodeArena().allocate(2 * page);
    if (memory == nullptr) return nullptr;
    const auto past = reinterpret_cast<std::uintptr_t>(memory) % page;
    return memory + (page - past) % page;
}

/// Of the tried way: what a process puts into the inbox of another one on this device.
std::vector<std::uint64_t> patternFrom(const DeviceId& device) {
    std::uint64_t number = 0;
    for (const char each : device)
        number = number * 131 + static_cast<std::uint64_t>(static_cast<unsigned char>(each));
    std::vector<std::uint64_t> pattern(page / sizeof number);
    for (std::uint64_t& each : pattern) each = number = number * 6364136223846793005U + 1;
    return pattern;
}
std::byte* bytesOf(std::vector<std::uint64_t>& pattern) {
    return reinterpret_cast<std::byte*>(pattern.data());
}

}  // namespace

DeviceLink::Offer DeviceLink::offer(Backend& device, std::size_t bytes) {
    Offer offer;
    DeviceSharing* const sharing = device.sharing();
    if (sharing == nullptr || sharing->isCrowded()) {
        fail(sharing == nullptr ? "the driver is too old" : "several processes use one device");
        return offer;
    }
    problem_ = prepareMoves(device, sizeof(std::uint64_t));
    if (!problem_.empty()) return offer;
    problem_ = "there is no memory";
    Box made;
    made.capacity = capacityFor(bytes);
    made.memory = device.allocate(2 * made.capacity, 0);
    std::byte* const flags = newPage();
    if (made.memory == nullptr || flags == nullptr) return offer;
    made.flags = sharing->reach(flags, page);
    if (made.flags == nullptr || !sharing->share(made.memory, offer.memory)) {
        fail(sharing->problem());
        return offer;
    }
    offer.device = sharing->id();
    offer.flags = Link::placeOf(flags);
    offer.isMade = 1;
    inbox_ = made;
    problem_ = "the other process finds no way";
    return offer;
}

bool DeviceLink::accept(Backend& device, const Offer& theirs, const Neighbour& other,
                        std::size_t bytes) {
    DeviceSharing* const sharing = device.sharing();
    if (theirs.isMade == 0 || sharing == nullptr) return false;
    if (theirs.device == sharing->id()) {
        sharing->noteCrowd();
        return fail("both use one device");
    }
    Box found;
    found.capacity = capacityFor(bytes);
    found.memory = sharing->open(theirs.memory);
    found.flags = sharing->reach(other.memory + theirs.flags, page);
    if (found.memory == nullptr || found.flags == nullptr) return fail(sharing->problem());
    outbox_ = found;
    return true;
}

/// By the kernel that puts messages there, from the second half of the own inbox.
bool DeviceLink::putPattern(Backend& device) {
    std::vector<std::uint64_t> pattern = patternFrom(device.sharing()->id());
    std::byte* const from = inbox_.memory + inbox_.capacity;
    const auto count = static_cast<Index>(pattern.size());
    const MovedPlane plane{{1, count}, {count, 1}, {count, 1}};
    const bool isPut = device.copyIn(from, bytesOf(pattern), page) &&
                       move(device, outbox_.memory, from, plane, sizeof(std::uint64_t)) &&
                       device.copyOut(bytesOf(pattern), from, page);  // waits
    return isPut || fail("nothing can be put there");
}

bool DeviceLink::hasGotPattern(Backend& device, const Offer& theirs) {
    const std::vector<std::uint64_t> expected = patternFrom(theirs.device);
    std::vector<std::uint64_t> got(expected.size());
    return (device.copyOut(bytesOf(got), inbox_.memory, page) && got == expected) ||
           fail("what was put there has not come");
}

std::byte* DeviceLink::roomForNext(Backend& device) {
    const std::uint32_t before = outbox_.messages;
    if (before >= 2 && !device.sharing()->await(outbox_.consumed(), before - 1)) return nullptr;
    return outbox_.room();
}

bool DeviceLink::send(Backend& device) {
    return device.sharing()->signal(outbox_.ready(), ++outbox_.messages);
}

const std::byte* DeviceLink::next(Backend& device) {
    if (!device.sharing()->await(inbox_.ready(), inbox_.messages + 1)) return nullptr;
    return inbox_.room();
}

bool DeviceLink::taken(Backend& device) {
    return device.sharing()->signal(inbox_.consumed(), ++inbox_.messages);
}

}  // namespace hpspmd::detail
