// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fork_copy.hpp"

#include "reservation.hpp"

#include <unistd.h>

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>

namespace hpspmd::detail {
namespace {

// By the system call itself, as AddressSanitizer objects to what lies between arrays.
bool readAll(int file, std::byte* to, std::size_t bytes, std::size_t offset) {
    while (bytes > 0) {
        const long count = ::syscall(SYS_pread64, file, to, bytes, offset);
        if (count <= 0) return false;
        to += count;
        offset += static_cast<std::size_t>(count);
        bytes -= static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

bool ForkCopy::make(int file, const Stretches& stretches) {
    if (stretches.empty()) return true;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    bytes_ = (stretches.back().second + page - 1) / page * page;
    begin_ = mapPrivate(bytes_);
    if (begin_ == nullptr) return false;
    return std::all_of(stretches.begin(), stretches.end(), [&](const auto& stretch) {
        const auto [from, to] = stretch;
        return readAll(file, begin_ + from, to - from, from);
    });
}

void ForkCopy::drop() noexcept {
    if (begin_ != nullptr) ::munmap(begin_, bytes_);
    begin_ = nullptr;
    bytes_ = 0;
}

bool ForkCopy::move(std::byte* memory, std::size_t from, std::size_t to) noexcept {
    to = std::min(to, bytes_);
    if (from >= to) return true;
    // By the system call itself: UCX, below MPI, puts a function in the library's place that
    // forgets the last argument.
    return ::syscall(SYS_mremap, begin_ + from, to - from, to - from, MREMAP_MAYMOVE | MREMAP_FIXED,
                     memory + from) != -1;
}

}  // namespace hpspmd::detail
