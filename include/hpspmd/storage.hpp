// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Storage, the counted elements that array handles share. All of it comes from the process's
/// arenas (runtime/arena.hpp).

#include <hpspmd/where.hpp>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

class Ghosts;
class Mirror;

/// The slots of one array on this process.
struct Storage {
    std::atomic<Index> references{1};
    std::byte* address = nullptr;  ///< of slot 0
    Index slots = 0;
    std::size_t elementSize = 0;          ///< in bytes
    void (*destroy)(Storage&) = nullptr;  ///< runs element destructors; null if they are trivial
    std::byte* allocation = nullptr;      ///< what the arena gave; null: others own the memory
    std::size_t allocationSize = 0;       ///< in bytes
    Ghosts* ghosts = nullptr;             ///< how fresh its ghost cells are; null if there are none
    Mirror* mirror = nullptr;             ///< its copy on a device; null: it never had one
    bool staysHome = false;               ///< nests on a device cannot have it, ever again
    /// Whose slots these are: its own, unless this only keeps ranges (keepRanges()).
    Storage* whole = this;
};

/// What somebody does with elements.
enum class Use : unsigned char { Reads, Writes };

/// hpspmd/device/home.hpp
void bringHome(Mirror& mirror, Use use, Where where);
inline void bringHome(const Storage* storage, Use use, Where where) {
    if (storage != nullptr && __builtin_expect(storage->mirror != nullptr, 0))
        bringHome(*storage->mirror, use, where);
}

/// Zeroed memory for `slots` elements of `elementSize` bytes; slot `first` starts a cache line of
/// 64 bytes, or is aligned to `alignment` bytes if that is more. OutOfMemory, BadExtent.
Storage* allocateStorage(Index slots, std::size_t elementSize, std::size_t alignment, Index first,
                         Where where);
void releaseStorage(Storage* storage) noexcept;  // never calls MPI

/// Counted pointer; a copy costs one atomic increment.
class StorageHandle {
public:
    StorageHandle() noexcept = default;
    explicit StorageHandle(Storage* storage) noexcept
        : storage_(storage) {}  // takes over one reference
    StorageHandle(const StorageHandle& other) noexcept : storage_(other.storage_) {
        if (storage_) storage_->references.fetch_add(1, std::memory_order_relaxed);
    }
    StorageHandle(StorageHandle&& other) noexcept
        : storage_(std::exchange(other.storage_, nullptr)) {}
    /// One more handle of a storage that has some, or of none.
    static StorageHandle of(const Storage* storage) noexcept {
        Storage* const counted = const_cast<Storage*>(storage);
        if (counted) counted->references.fetch_add(1, std::memory_order_relaxed);
        return StorageHandle(counted);
    }
    StorageHandle& operator=(StorageHandle other) noexcept {
        std::swap(storage_, other.storage_);
        return *this;
    }
    ~StorageHandle() {
        if (storage_ && storage_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
            releaseStorage(storage_);
    }

    Storage* get() const noexcept { return storage_; }
    Storage* operator->() const noexcept { return storage_; }
    explicit operator bool() const noexcept { return storage_ != nullptr; }

private:
    Storage* storage_ = nullptr;
};

/// True if a value-initialised T is all zero bytes and copied as bytes. Then fresh storage already
/// holds such elements, and creation touches no page. So it is for numbers, pointers and
/// std::complex; found out by making one.
template <class T>
bool isZeroWhenFresh() {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>) {
        alignas(T) unsigned char bytes[sizeof(T)] = {};
        ::new (static_cast<void*>(bytes)) T();
        for (unsigned char byte : bytes)
            if (byte != 0) return false;
        return true;
    } else {
        return false;
    }
}

template <class T>
void destroyElements(Storage& storage) {
    T* slot = reinterpret_cast<T*>(storage.address);
    for (Index k = 0; k < storage.slots; ++k) slot[k].~T();
}

/// Storage of value-initialised elements, ghost cells included.
template <class T>
StorageHandle makeStorage(Index slots, Index first, Where where) {
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>);
    StorageHandle storage(allocateStorage(slots, sizeof(T), alignof(T), first, where));
    if (isZeroWhenFresh<T>()) return storage;
    bringHome(storage.get(), Use::Writes, where);
    T* slot = reinterpret_cast<T*>(storage->address);
    storage->slots = 0;
    if constexpr (!std::is_trivially_destructible_v<T>) storage->destroy = destroyElements<T>;
    for (; storage->slots < slots; ++storage->slots)
        ::new (static_cast<void*>(slot + storage->slots)) T();
    return storage;
}

}  // namespace hpspmd::detail
