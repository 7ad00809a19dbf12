// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// ForkCopy, what a child process made by fork() gets in place of memory that it would share.

#include <cstddef>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// Pages of an unnamed file that is mapped somewhere, as they are at a fork. The copy is made
/// before the fork, in private memory, so that nobody need wait for anybody: the parent drops it
/// afterwards, and the child moves its pages to where the file was mapped. The bytes outside of the
/// stretches are zero.
class ForkCopy {
public:
    /// [first, second) in bytes from the start of the file, in ascending order.
    using Stretches = std::vector<std::pair<std::size_t, std::size_t>>;

    /// False if there is no memory for it.
    bool make(int file, const Stretches& stretches);
    /// In the parent.
    void drop() noexcept;
    /// In the child: pages [from, to) become those at `memory` + from; every page once at most.
    /// Beyond the end of the copy nothing changes.
    bool move(std::byte* memory, std::size_t from, std::size_t to) noexcept;

private:
    std::byte* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace hpspmd::detail
