// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Reservation, a sparse stretch of address space.

#include "fork_copy.hpp"

#include <cstddef>

namespace hpspmd::detail {

/// Private memory of this process, or memory that the other processes of the node can map.
enum class Visibility { Private, Node };

/// Address space whose pages exist, and are zero, from their first use on. What is visible to the
/// node is an unnamed file (memfd): it needs no room in /dev/shm, which is 64 MB in a usual
/// container, and is gone with its last process however that ends. Where the system grants no such
/// file, the memory is private after all.
class Reservation {
public:
    /// `bytes`, or as much of that (halving, down to 1 MiB) as the system grants.
    Reservation(std::size_t bytes, Visibility visibility);
    ~Reservation();
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

    std::byte* base() const { return base_; }   ///< null if nothing was granted
    std::size_t size() const { return size_; }  ///< in bytes
    int file() const { return file_; }          ///< -1 if private
    bool contains(const void* address) const;

    /// Makes bytes zero; large stretches go back to the system.
    void clear(std::byte* begin, std::size_t bytes) const noexcept;
    /// Asks for huge pages.
    void preferHugePages() const noexcept;
    /// What lies below `end` belongs into a core file; what lies far above it does not: the system
    /// would go through all of the reserved addresses.
    void dumpUpTo(std::size_t end) noexcept;

    /// Around a fork, of memory with a file: the copy of `used` bytes, which the child gets in
    /// place of the file. False if that fails.
    bool beforeFork(const ForkCopy::Stretches& used);
    void inParent() noexcept { copy_.drop(); }
    bool inChild() noexcept;

private:
    bool reserve(std::size_t bytes);

    std::byte* base_ = nullptr;
    std::size_t size_ = 0;
    std::size_t dumped_ = 0;  // bytes that a core file gets
    int file_ = -1;
    ForkCopy copy_;
};

/// True if the system gives huge pages to memory that is visible to the node, if asked. (By default
/// it does so for private memory only.)
bool nodeMemoryGetsHugePages();

/// A sparse file of so many bytes that is gone with its last process (memfd); -1 if the system
/// grants none.
int unnamedFile(std::size_t bytes);

/// Fresh private memory, zero; null if that fails. With an address, whole pages there are replaced.
std::byte* mapPrivate(std::size_t bytes, std::byte* address = nullptr);

/// `bytes` of a file mapped for reading and writing; null if that fails.
std::byte* mapShared(int file, std::size_t bytes);

}  // namespace hpspmd::detail
