#include "arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hpspmd::detail {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;
constexpr std::size_t smallestReserve = std::size_t{1} << 20;
constexpr std::size_t largePiece = std::size_t{4} << 20;  // below, clearing beats fresh page faults

std::byte* reserve(std::size_t bytes) {
    void* const p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

// Whole pages go back to the system and read as zero from then on; the rims are cleared.
void clear(std::byte* begin, std::size_t bytes) {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto from = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const auto to = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
    if (bytes < largePiece ||
        ::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED) != 0) {
        std::memset(begin, 0, bytes);
        return;
    }
    std::memset(begin, 0, from - reinterpret_cast<std::uintptr_t>(begin));
    std::memset(reinterpret_cast<void*>(to), 0,
                reinterpret_cast<std::uintptr_t>(begin) + bytes - to);
}

}  // namespace

Arena::Arena(std::size_t bytes) {
    for (reserved_ = rounded(bytes); base_ == nullptr && reserved_ >= smallestReserve;) {
        base_ = reserve(reserved_);
        if (base_ == nullptr) reserved_ = rounded(reserved_ / 2);
    }
    if (base_ != nullptr)
        addFree(0, reserved_);
    else
        reserved_ = 0;
}

Arena::~Arena() {
    if (base_ != nullptr) ::munmap(base_, reserved_);
}

Arena& Arena::process() {
    static Arena& arena = *new Arena(std::max(64 * gibibyte, 2 * physicalMemory()));
    return arena;
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
    return base_ + offset;
}

void Arena::release(std::byte* piece, std::size_t bytes) noexcept {
    std::size_t size = rounded(std::max<std::size_t>(bytes, 1));
    clear(piece, size);
    const std::lock_guard lock(mutex_);
    inUse_ -= size;
    Offset offset = static_cast<Offset>(piece - base_);
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
