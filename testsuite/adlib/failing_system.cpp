// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of the C library by these names; the executable's own ones stand before those of
/// shared libraries.

#include "failing_system.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>

namespace hpspmd::test {
namespace {

struct Failing {
    std::string folder;
    int number = 0, error = 0, calls = 0;
    bool isLasting = false;
};

bool isActive = false;
Failing failing;

bool isInFolder(const char* path) {
    return std::string(path).compare(0, failing.folder.size(), failing.folder) == 0;
}

bool isInFolder(int handle) {
    char path[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(handle);
    const ssize_t length = ::readlink(link.c_str(), path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    return isInFolder(path);
}

/// The call for this file is the one that is to fail.
template <class File>
bool failsNow(File file, bool writes = false) {
    if (!isActive || !isInFolder(file)) return false;
    const bool isLater = failing.isLasting && writes && failing.calls >= failing.number;
    return ++failing.calls == failing.number || isLater;
}

int failed() {
    errno = failing.error;
    return -1;
}

ssize_t writtenPart(int handle, const void* data, size_t bytes, off_t offset) {
    const bool isFirst = failing.calls == failing.number;
    if (!isFirst || bytes < 2) return failed();
    --failing.number;  // what is left is refused
    failing.isLasting = true;
    return ::syscall(SYS_pwrite64, handle, data, bytes / 2, offset);
}

}  // namespace

FailingCalls::FailingCalls(const std::string& folder, int number, int error, bool isLasting) {
    failing = {folder, number, error, 0, isLasting};
    isActive = true;
}
FailingCalls::~FailingCalls() { isActive = false; }
bool FailingCalls::hasFailed() const { return failing.calls >= failing.number; }

}  // namespace hpspmd::test

using namespace hpspmd::test;

extern "C" {

ssize_t pwrite(int handle, const void* data, size_t bytes, off_t offset) {
    if (failsNow(handle, true)) return writtenPart(handle, data, bytes, offset);
    return ::syscall(SYS_pwrite64, handle, data, bytes, offset);
}
ssize_t pwrite64(int handle, const void* data, size_t bytes, off_t offset) {
    return pwrite(handle, data, bytes, offset);
}
ssize_t pwritev(int handle, const iovec* parts, int count, off_t offset) {
    if (failsNow(handle, true)) return writtenPart(handle, parts->iov_base, parts->iov_len, offset);
    const auto low = static_cast<unsigned long>(offset);
    return ::syscall(SYS_pwritev, handle, parts, count, low, 0UL);
}
ssize_t pwritev64(int handle, const iovec* parts, int count, off_t offset) {
    return pwritev(handle, parts, count, offset);
}
ssize_t write(int handle, const void* data, size_t bytes) {
    if (failsNow(handle, true)) return failed();
    return ::syscall(SYS_write, handle, data, bytes);
}
int fsync(int handle) {
    if (failsNow(handle)) return failed();
    return static_cast<int>(::syscall(SYS_fsync, handle));
}
int close(int handle) {
    const bool fails = failsNow(handle);
    const int result = static_cast<int>(::syscall(SYS_close, handle));
    return fails ? failed() : result;
}
int rename(const char* from, const char* to) noexcept {
    if (failsNow(from)) return failed();
    return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    if ((flags & O_ACCMODE) != O_RDONLY && failsNow(path)) return failed();
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return open(path, flags, mode);
}
}
