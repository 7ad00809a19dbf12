#include "threads/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <malloc.h>
#include <sys/mman.h>

namespace hpcc::threads {
namespace {

// Less than this stays in the heap when it is given back.
[[maybe_unused]] constexpr int mostFree = 1 << 30;

}  // namespace

void useOneHeap() {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, mostFree);
    mallopt(M_MMAP_THRESHOLD, mostFree);
#endif
}

void expectMemory([[maybe_unused]] std::size_t bytes) {
#if defined(M_ARENA_MAX) && defined(MADV_HUGEPAGE)
    constexpr std::size_t page = std::size_t{1} << 21;
    bytes = std::min<std::size_t>(bytes, mostFree / 2);
    if (bytes < page) return;
    void* const memory = std::malloc(bytes);
    if (!memory) return;
    const std::uintptr_t begin =
        (reinterpret_cast<std::uintptr_t>(memory) + page - 1) & ~(page - 1);
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) & ~(page - 1);
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    std::free(memory);
#endif
}

}  // namespace hpcc::threads
