// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/rings.hpp"

#include "compose.hpp"

#include <hpspmd/error.hpp>

#include <unistd.h>

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hpspmd::detail {
namespace {

[[noreturn]] void raise(const char* what) {
    throw MpiError(compose("shared memory of the job: ", what, ": ", std::strerror(errno)), {});
}

// All rings of a process together have a few MiB at most. Pages that nobody uses cost nothing.
std::size_t ringBytesFor(std::size_t size) {
    constexpr std::size_t ofProcess = std::size_t{4} << 20;
    return std::clamp(ofProcess / size / 64 * 64, std::size_t{2048}, std::size_t{65536});
}

}  // namespace

NodeMemory::NodeMemory(int file, int size)
    : size_(size), ringBytes_(ringBytesFor(static_cast<std::size_t>(size))) {
    constexpr std::size_t headBytes = 64;
    const std::size_t count = static_cast<std::size_t>(size);
    const std::size_t memberBytes = (count * sizeof(NodeMember) + 63) / 64 * 64;
    const std::size_t ringsAt = headBytes + memberBytes;
    const std::size_t bytesAt = ringsAt + count * count * sizeof(Ring);
    const std::size_t all = bytesAt + count * count * ringBytes_;
    if (::ftruncate(file, static_cast<off_t>(all)) != 0) raise("ftruncate");
    void* const memory =
        ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (memory == MAP_FAILED) raise("mmap");
    ::madvise(memory, all, MADV_DONTFORK);  // a child takes part in nothing
    char* const begin = static_cast<char*>(memory);
    head_ = reinterpret_cast<NodeHead*>(begin);
    members_ = reinterpret_cast<NodeMember*>(begin + headBytes);
    rings_ = reinterpret_cast<Ring*>(begin + ringsAt);
    bytes_ = begin + bytesAt;
}

void NodeMemory::setExitCode(int code) {
    int none = 0;
    head_->exitCode.compare_exchange_strong(none, code + 1);
}

Ring& NodeMemory::ring(int from, int to) const { return rings_[from * size_ + to]; }

char* NodeMemory::bytesOf(const Ring& ring) const {
    return bytes_ + static_cast<std::size_t>(&ring - rings_) * ringBytes_;
}

}  // namespace hpspmd::detail
