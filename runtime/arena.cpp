// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arena.hpp"

#include "bus_error.hpp"

#include <unistd.h>

#include <algorithm>

namespace hpspmd::detail {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;
constexpr std::size_t largePiece = std::size_t{1} << 20;  // half a huge page

std::size_t reserve() { return std::max(64 * gibibyte, 2 * physicalMemory()); }

}  // namespace

Arena& nodeArena() {
    static Arena& arena = *[] {
        Arena* made = new Arena(reserve(), Visibility::Node);
        if (nodeMemoryGetsHugePages()) made->reservation().preferHugePages();
        reportMissingMemory(made->reservation());
        return made;
    }();
    return arena;
}

Arena& privateArena() {
    static Arena& arena = *[] {
        Arena* made = new Arena(reserve());
        made->reservation().preferHugePages();
        made->allowVisiblePages();
        return made;
    }();
    return arena;
}

Arena& arenaFor(std::size_t bytes) {
    static const bool visible = nodeMemoryGetsHugePages();
    return bytes < largePiece || visible ? nodeArena() : privateArena();
}

Arena& arenaOf(const std::byte* piece) {
    return nodeArena().reservation().contains(piece) ? nodeArena() : privateArena();
}

std::size_t arenaBytesInUse() { return nodeArena().inUse() + privateArena().inUse(); }

std::size_t arenaBytesReserved() {
    return nodeArena().reservation().size() + privateArena().reservation().size();
}

Arena::Arena(std::size_t bytes, Visibility visibility) : reservation_(rounded(bytes), visibility) {
    if (reservation_.size() > 0) addFree(0, reservation_.size());
}

VisiblePages& Arena::allowVisiblePages() {
    unit_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    visible_ = std::make_unique<VisiblePages>(reservation_.base(), reservation_.size());
    return *visible_;
}

std::byte* Arena::allocate(std::size_t bytes) {
    const std::size_t size = rounded(std::max<std::size_t>(bytes, 1));
    const std::lock_guard lock(mutex_);
    const auto best = freeBySize_.lower_bound({size, 0});
    if (size < bytes || best == freeBySize_.end()) return nullptr;
    const auto [pieceSize, offset] = *best;
    removeFree(freeByOffset_.find(offset));
    if (pieceSize > size) addFree(offset + size, pieceSize - size);
    inUse_ += size;
    reservation_.dumpUpTo(offset + size);
    return reservation_.base() + offset;
}

void Arena::release(std::byte* piece, std::size_t bytes, bool isZero) noexcept {
    std::size_t size = rounded(std::max<std::size_t>(bytes, 1));
    if (visible_) visible_->hide(piece, size);
    if (!isZero) reservation_.clear(piece, size);
    const std::lock_guard lock(mutex_);
    inUse_ -= size;
    Offset offset = static_cast<Offset>(piece - reservation_.base());
    const auto above = freeByOffset_.find(offset + size);
    if (above != freeByOffset_.end()) {
        size += above->second;
        removeFree(above);
    }
    const auto next = freeByOffset_.lower_bound(offset);
    if (next != freeByOffset_.begin()) {
        const auto below = std::prev(next);
        if (below->first + below->second == offset) {
            offset = below->first;
            size += below->second;
            removeFree(below);
        }
    }
    addFree(offset, size);
}

std::size_t Arena::inUse() const {
    const std::lock_guard lock(mutex_);
    return inUse_;
}

ForkCopy::Stretches Arena::used() const {
    ForkCopy::Stretches stretches;
    Offset from = 0;
    for (const auto& [free, size] : freeByOffset_) {
        if (free > from) stretches.emplace_back(from, free);
        from = free + size;
    }
    if (from < reservation_.size()) stretches.emplace_back(from, reservation_.size());
    return stretches;
}

bool Arena::beforeFork() {
    mutex_.lock();
    const bool done = reservation_.beforeFork(used());
    return (visible_ == nullptr || visible_->beforeFork()) && done;
}

void Arena::inParent() noexcept {
    reservation_.inParent();
    if (visible_) visible_->inParent();
    mutex_.unlock();
}

bool Arena::inChild() noexcept {
    const bool done = reservation_.inChild();
    const bool pages = visible_ == nullptr || visible_->inChild();
    mutex_.unlock();
    return done && pages;
}

void Arena::addFree(Offset offset, std::size_t size) {
    freeByOffset_.emplace(offset, size);
    freeBySize_.emplace(size, offset);
}

void Arena::removeFree(std::map<Offset, std::size_t>::iterator piece) {
    freeBySize_.erase({piece->second, piece->first});
    freeByOffset_.erase(piece);
}

std::size_t physicalMemory() {
    static const std::size_t bytes = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                                     static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

}  // namespace hpspmd::detail
