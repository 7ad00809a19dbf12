// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Arena, where array elements come from.

#include "reservation.hpp"
#include "visible_pages.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace hpspmd::detail {

/// A sparse stretch of address space, out of which pieces are cut. Free memory is always zero. All
/// public members may be called from any thread; none communicates.
class Arena {
public:
    static constexpr std::size_t line = 64;  ///< bytes of a cache line

    /// `bytes` of address space, or as much of that (halving) as the system grants.
    explicit Arena(std::size_t bytes, Visibility visibility = Visibility::Private);

    /// Of private memory: from now on its pieces consist of whole pages, which can be made visible.
    VisiblePages& allowVisiblePages();
    /// Null unless that is so.
    VisiblePages* visiblePages() const { return visible_.get(); }

    /// A zeroed piece of at least `bytes`, aligned to 64 bytes; null if none is left. O(log
    /// pieces).
    std::byte* allocate(std::size_t bytes);
    /// Takes back a piece of that size. Large ones are given back to the system, small ones are
    /// zeroed; neither if it is zero still: drivers of GPUs make giving back cost 1 us per MB.
    void release(std::byte* piece, std::size_t bytes, bool isZero = false) noexcept;

    const Reservation& reservation() const { return reservation_; }
    std::size_t inUse() const;  ///< bytes of all pieces

    /// Around a fork: the child gets a copy of its own of what others could see. Between the first
    /// and one of the others no other member may be called. False if there is no memory for it.
    bool beforeFork();
    void inParent() noexcept;
    bool inChild() noexcept;

private:
    using Offset = std::size_t;
    std::size_t rounded(std::size_t bytes) const { return (bytes + unit_ - 1) / unit_ * unit_; }
    ForkCopy::Stretches used() const;
    void addFree(Offset offset, std::size_t size);
    void removeFree(std::map<Offset, std::size_t>::iterator piece);

    std::size_t unit_ = line;
    Reservation reservation_;
    std::unique_ptr<VisiblePages> visible_;
    std::size_t inUse_ = 0;
    std::map<Offset, std::size_t> freeByOffset_;
    std::set<std::pair<std::size_t, Offset>> freeBySize_;
    mutable std::mutex mutex_;
};

/// The process has two arenas, which are immortal: one that the other processes of the node see,
/// and one for large pieces if only private memory gets huge pages, of which they see those pages
/// that they read.
Arena& nodeArena();
Arena& privateArena();
/// The one for a piece of so many bytes.
Arena& arenaFor(std::size_t bytes);
/// The one that a piece came from.
Arena& arenaOf(const std::byte* piece);
/// Bytes of all pieces of both, and of the address space for them.
std::size_t arenaBytesInUse();
std::size_t arenaBytesReserved();

/// Memory of the machine in bytes.
std::size_t physicalMemory();

}  // namespace hpspmd::detail
