// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visible_pages.hpp"

#include "reservation.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

namespace hpspmd::detail {
namespace {

constexpr std::size_t step = std::size_t{64} << 20;  // so much is there twice at a time

std::size_t pageSize() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

// By the system call itself: the library's function is watched by AddressSanitizer, which objects
// to what lies in the pages behind the end of an array.
bool writeAll(int file, const std::byte* from, std::size_t bytes, std::size_t offset) {
    while (bytes > 0) {
        const long written = ::syscall(SYS_pwrite64, file, from, bytes, offset);
        if (written <= 0) return false;
        from += written;
        offset += static_cast<std::size_t>(written);
        bytes -= static_cast<std::size_t>(written);
    }
    return true;
}

}  // namespace

VisiblePages::VisiblePages(std::byte* memory, std::size_t bytes)
    : memory_(memory), size_(bytes), file_(unnamedFile(bytes)) {}

VisiblePages::~VisiblePages() {
    if (file_ >= 0) ::close(file_);
}

bool VisiblePages::show(const void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto first = static_cast<Offset>(static_cast<const std::byte*>(begin) - memory_);
    Offset from = first / pageSize() * pageSize();
    const Offset to = (first + bytes + pageSize() - 1) / pageSize() * pageSize();
    if (covers(from, to)) return true;
    if (file_ < 0 || to > size_) return false;
    while (from < to) {
        const auto next = pieces_.upper_bound(from);
        if (next != pieces_.begin() && std::prev(next)->second > from) {
            from = std::prev(next)->second;
            continue;
        }
        const Offset end = std::min({to, from + step, next == pieces_.end() ? to : next->first});
        if (!move(from, end)) return false;
        from = end;
    }
    return true;
}

// The file gets the contents first: should there be no memory for them, that says so.
bool VisiblePages::move(Offset from, Offset to) {
    if (!writeAll(file_, memory_ + from, to - from, from) ||
        ::mmap(memory_ + from, to - from, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED | MAP_POPULATE, file_,
               static_cast<off_t>(from)) == MAP_FAILED) {
        ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from),
                    static_cast<off_t>(to - from));
        return false;
    }
    add(from, to);
    return true;
}

bool VisiblePages::contain(const void* begin, std::size_t bytes) const {
    const std::lock_guard lock(mutex_);
    const auto first = static_cast<Offset>(static_cast<const std::byte*>(begin) - memory_);
    return covers(first, first + bytes);
}

bool VisiblePages::covers(Offset from, Offset to) const {
    const auto next = pieces_.upper_bound(from);
    return next != pieces_.begin() && std::prev(next)->second >= to;
}

void VisiblePages::add(Offset from, Offset to) {
    const auto next = pieces_.lower_bound(from);
    if (next != pieces_.end() && next->first == to) {
        to = next->second;
        pieces_.erase(next);
    }
    const auto above = pieces_.lower_bound(from);
    if (above != pieces_.begin() && std::prev(above)->second == from)
        std::prev(above)->second = to;
    else
        pieces_.emplace(from, to);
}

void VisiblePages::hide(std::byte* begin, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto from = static_cast<Offset>(begin - memory_);
    const Offset to = from + bytes;
    auto piece = pieces_.upper_bound(from);
    if (piece != pieces_.begin() && std::prev(piece)->second > from) --piece;
    while (piece != pieces_.end() && piece->first < to) {
        const auto [first, last] = *piece;
        piece = pieces_.erase(piece);
        if (first < from) pieces_.emplace(first, from);
        if (last > to) pieces_.emplace(to, last);
        const Offset low = std::max(first, from), high = std::min(last, to);
        ::mmap(memory_ + low, high - low, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        ::madvise(memory_ + low, high - low, MADV_HUGEPAGE);
        ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(low),
                    static_cast<off_t>(high - low));
    }
}

bool VisiblePages::beforeFork() {
    mutex_.lock();
    return file_ < 0 || copy_.make(file_, {pieces_.begin(), pieces_.end()});
}

void VisiblePages::inParent() noexcept {
    copy_.drop();
    mutex_.unlock();
}

bool VisiblePages::inChild() noexcept {
    bool done = true;
    for (const auto& [from, to] : pieces_) done &= copy_.move(memory_, from, to);
    pieces_.clear();
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    mutex_.unlock();
    return done;
}

}  // namespace hpspmd::detail
