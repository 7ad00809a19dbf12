// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// VisiblePages, the pages of private memory that other processes of the node can see.

#include "fork_copy.hpp"

#include <cstddef>
#include <map>
#include <mutex>

namespace hpspmd::detail {

/// Private memory has huge pages where visible memory has none, and most of it never needs to be
/// seen. Here single pages become visible when they are needed: their contents move to an unnamed
/// file (memfd) as large as the memory, and the file takes their place at the same address. All
/// members may be called from any thread.
class VisiblePages {
public:
    /// Of `bytes` of private memory at `memory`, whole pages; none is visible at first. Where the
    /// system grants no such file, none ever is.
    VisiblePages(std::byte* memory, std::size_t bytes);
    ~VisiblePages();
    VisiblePages(const VisiblePages&) = delete;
    VisiblePages& operator=(const VisiblePages&) = delete;

    int file() const { return file_; }  ///< -1: none

    /// Makes the pages of these bytes visible; false if that is not possible. Nobody may write to
    /// the pages meanwhile.
    bool show(const void* begin, std::size_t bytes);
    /// True if the pages of these bytes are visible.
    bool contain(const void* begin, std::size_t bytes) const;
    /// Makes these pages, whole ones, private again; their contents are lost, they are zero.
    void hide(std::byte* begin, std::size_t bytes) noexcept;

    /// Around a fork, as of Reservation. In the child no page is visible, and none ever is again.
    /// Between the first and one of the others no other member may be called.
    bool beforeFork();
    void inParent() noexcept;
    bool inChild() noexcept;

private:
    using Offset = std::size_t;
    bool move(Offset from, Offset to);
    bool covers(Offset from, Offset to) const;
    void add(Offset from, Offset to);

    std::byte* memory_;
    std::size_t size_;
    int file_ = -1;
    std::map<Offset, Offset> pieces_;  // begin -> end, disjoint, not adjacent
    ForkCopy copy_;
    mutable std::mutex mutex_;
};

}  // namespace hpspmd::detail
