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

/// Calls part(at, count, done) for the one or two stretches of a ring that hold `bytes` from
/// `begin` on.
template <class Part>
void inRing(std::uint64_t begin, std::size_t bytes, std::size_t capacity, Part part) {
    for (std::size_t done = 0; done < bytes;) {
        const std::size_t at = static_cast<std::size_t>((begin + done) % capacity);
        const std::size_t count = std::min(bytes - done, capacity - at);
        part(at, count, done);
        done += count;
    }
}

}  // namespace

std::size_t RingBytes::put(const char* from, std::size_t bytes) {
    const std::uint64_t written = ring_.written.load(std::memory_order_relaxed);
    const std::uint64_t used = written - ring_.read.load(std::memory_order_acquire);
    const std::size_t count = std::min(bytes, capacity_ - static_cast<std::size_t>(used));
    inRing(written, count, capacity_, [&](std::size_t at, std::size_t length, std::size_t done) {
        std::memcpy(bytes_ + at, from + done, length);
    });
    ring_.written.store(written + count, std::memory_order_release);
    return count;
}

std::size_t RingBytes::get(void* to, std::size_t bytes) {
    const std::uint64_t read = ring_.read.load(std::memory_order_relaxed);
    const std::size_t count = std::min(bytes, waiting());
    inRing(read, count, capacity_, [&](std::size_t at, std::size_t length, std::size_t done) {
        std::memcpy(static_cast<char*>(to) + done, bytes_ + at, length);
    });
    ring_.read.store(read + count, std::memory_order_release);
    return count;
}

std::size_t RingBytes::waiting() const {
    return static_cast<std::size_t>(ring_.written.load(std::memory_order_acquire) -
                                    ring_.read.load(std::memory_order_relaxed));
}

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

RingBytes NodeMemory::bytesOf(Ring& ring) const {
    return {ring, bytes_ + static_cast<std::size_t>(&ring - rings_) * ringBytes_, ringBytes_};
}

}  // namespace hpspmd::detail
