// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reservation.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

namespace hpspmd::detail {
namespace {

constexpr std::size_t smallest = std::size_t{1} << 20;
constexpr std::size_t large = std::size_t{4} << 20;  // below, clearing beats fresh page faults

int emptyFile() {
#ifdef MFD_CLOEXEC
    return ::memfd_create("hpspmd", MFD_CLOEXEC);
#else
    return -1;
#endif
}

// Growing a file beyond the limit for files would end the process by a signal.
bool grow(int file, std::size_t bytes) {
    rlimit limit;
    const bool allowed = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
    return allowed && ::ftruncate(file, static_cast<off_t>(bytes)) == 0;
}

std::uintptr_t number(const std::byte* address) {
    return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

int unnamedFile(std::size_t bytes) {
    const int file = emptyFile();
    if (file < 0 || grow(file, bytes)) return file;
    ::close(file);
    return -1;
}

std::byte* mapPrivate(std::size_t bytes, std::byte* address) {
    const int fixed = address == nullptr ? 0 : MAP_FIXED;
    void* const p = ::mmap(address, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

std::byte* mapShared(int file, std::size_t bytes) {
    void* const p =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    return p == MAP_FAILED ? nullptr : static_cast<std::byte*>(p);
}

Reservation::Reservation(std::size_t bytes, Visibility visibility) {
    if (visibility == Visibility::Node) file_ = emptyFile();
    if (file_ >= 0 && !reserve(bytes)) {
        ::close(file_);
        file_ = -1;
    }
    if (file_ < 0) reserve(bytes);
}

bool Reservation::reserve(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    for (; base_ == nullptr && bytes >= smallest; bytes /= 2) {
        size_ = bytes / page * page;
        if (file_ < 0)
            base_ = mapPrivate(size_);
        else if (grow(file_, size_))
            base_ = mapShared(file_, size_);
    }
    if (base_ == nullptr) size_ = 0;
    if (base_ != nullptr) ::madvise(base_, size_, MADV_DONTDUMP);
    return base_ != nullptr;
}

Reservation::~Reservation() {
    if (base_ != nullptr) ::munmap(base_, size_);
    if (file_ >= 0) ::close(file_);
}

bool Reservation::contains(const void* address) const {
    return number(static_cast<const std::byte*>(address)) - number(base_) < size_;
}

// Whole pages go back to the system and read as zero from then on; the rims are cleared.
void Reservation::clear(std::byte* begin, std::size_t bytes) const noexcept {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto from = (number(begin) + page - 1) / page * page;
    const auto to = (number(begin) + bytes) / page * page;
    const int advice = file_ < 0 ? MADV_DONTNEED : MADV_REMOVE;
    if (bytes < large || ::madvise(reinterpret_cast<void*>(from), to - from, advice) != 0) {
        std::memset(begin, 0, bytes);
        return;
    }
    std::memset(begin, 0, from - number(begin));
    std::memset(reinterpret_cast<void*>(to), 0, number(begin) + bytes - to);
}

void Reservation::preferHugePages() const noexcept {
    if (base_ != nullptr) ::madvise(base_, size_, MADV_HUGEPAGE);  // a wish: may be refused
}

void Reservation::dumpUpTo(std::size_t end) noexcept {
    constexpr std::size_t least = std::size_t{1} << 20;
    if (end <= dumped_) return;
    const std::size_t doubled = std::max(least, 2 * dumped_);
    dumped_ = std::min(size_, std::max(doubled, (end + least - 1) / least * least));
    ::madvise(base_, dumped_, MADV_DODUMP);
}

bool Reservation::beforeFork(const ForkCopy::Stretches& used) {
    return file_ < 0 || copy_.make(file_, used);
}

bool Reservation::inChild() noexcept {
    if (file_ < 0) return true;
    ::close(file_);
    file_ = -1;
    return mapPrivate(size_, base_) != nullptr && copy_.move(base_, 0, size_);
}

bool nodeMemoryGetsHugePages() {
    std::string word;  // "always within_size advise [never] deny force"
    for (std::ifstream file("/sys/kernel/mm/transparent_hugepage/shmem_enabled"); file >> word;)
        if (word.front() == '[') return word != "[never]" && word != "[deny]";
    return false;
}

}  // namespace hpspmd::detail
