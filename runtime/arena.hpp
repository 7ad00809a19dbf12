#pragma once
/// Arena, the one place that array elements come from.

#include <cstddef>
#include <map>
#include <mutex>
#include <set>

namespace hpspmd::detail {

/// A sparsely reserved stretch of address space, out of which pieces are cut. Free memory is always
/// zero. All public members may be called from any thread; none communicates.
class Arena {
public:
    static constexpr std::size_t line = 64;

    /// Reserves `bytes` of address space, or as much of that (halving) as the system grants.
    explicit Arena(std::size_t bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// The process's arena; immortal.
    static Arena& process();

    /// A zeroed piece of at least `bytes`, aligned to 64 bytes; null if none is left. O(log
    /// pieces).
    std::byte* allocate(std::size_t bytes);
    /// Takes back a piece of that size. Large ones are given back to the system, small ones are
    /// zeroed.
    void release(std::byte* piece, std::size_t bytes) noexcept;

    std::size_t reserved() const { return reserved_; }
    std::size_t inUse() const;

private:
    using Offset = std::size_t;
    static std::size_t rounded(std::size_t bytes) { return (bytes + line - 1) / line * line; }
    void addFree(Offset offset, std::size_t size);
    void removeFree(std::map<Offset, std::size_t>::iterator piece);

    std::byte* base_ = nullptr;
    std::size_t reserved_ = 0;
    std::size_t inUse_ = 0;
    std::map<Offset, std::size_t> freeByOffset_;
    std::set<std::pair<std::size_t, Offset>> freeBySize_;
    mutable std::mutex mutex_;
};

/// Memory of the machine in bytes.
std::size_t physicalMemory();

}  // namespace hpspmd::detail
