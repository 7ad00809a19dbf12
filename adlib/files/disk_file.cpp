// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/disk_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace hpspmd::detail::files {
namespace {

const std::string unfinished = ".tmp.";

[[noreturn]] void raiseSystemError() { throw Failure(std::strerror(errno)); }

int opened(const std::string& path, int flags) {
    const int handle = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (handle < 0) raiseSystemError();
    return handle;
}

std::string randomDigits() {
    static const char digits[] = "0123456789abcdef";
    std::random_device random;
    std::string text;
    for (int k = 0; k < 12; ++k) text += digits[random() % 16];
    return text;
}

}  // namespace

DiskFile DiskFile::forReading(const std::string& path) {
    DiskFile file(path, opened(path, O_RDONLY | O_NONBLOCK));  // a pipe must not block
    struct stat about;
    if (::fstat(file.handle_, &about) != 0) raiseSystemError();
    if (!S_ISREG(about.st_mode)) throw Failure("it is no regular file");
    return file;
}

DiskFile DiskFile::forWriting(const std::string& path) { return {path, opened(path, O_RDWR)}; }

DiskFile DiskFile::beside(const std::string& path) {
    const std::string name = path + unfinished + randomDigits();
    return {name, opened(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)};
}

DiskFile::DiskFile(DiskFile&& other) noexcept
    : path_(std::move(other.path_)),
      handle_(std::exchange(other.handle_, -1)),
      sendsAtOnce_(other.sendsAtOnce_) {}

DiskFile::~DiskFile() {
    if (handle_ >= 0) ::close(handle_);
}

Index DiskFile::size() const {
    struct stat about;
    if (::fstat(handle_, &about) != 0) raiseSystemError();
    return about.st_size;
}

void DiskFile::write(const void* data, Index bytes, Index offset) {
    write({static_cast<const char*>(data), bytes, bytes, 1}, 0, bytes, offset);
}

void DiskFile::write(const Rows& rows, Index from, Index bytes, Index offset) {
    constexpr std::size_t most = 1024;  // what Linux takes in one call
    std::array<iovec, most> parts;
    while (bytes > 0) {
        std::size_t count = 0;
        Index all = 0;
        for (; count < most && all < bytes; ++count) {
            const Index row = (from + all) / rows.bytes, at = (from + all) % rows.bytes;
            const Index length = std::min(rows.bytes - at, bytes - all);
            // pwritev changes nothing, but its type says no such thing.
            parts[count] = {const_cast<char*>(rows.first + row * rows.step + at),
                            static_cast<std::size_t>(length)};
            all += length;
        }
        // A short write is no error yet: the next one tells.
        const ssize_t written = ::pwritev(handle_, parts.data(), static_cast<int>(count), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) raiseSystemError();
#ifdef SYNC_FILE_RANGE_WRITE
        // Whether it comes there, sync() tells.
        if (sendsAtOnce_) ::sync_file_range(handle_, offset, written, SYNC_FILE_RANGE_WRITE);
#endif
        from += written;
        offset += written;
        bytes -= written;
    }
}

void DiskFile::read(void* data, Index bytes, Index offset) {
    char* to = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t read = ::pread(handle_, to, static_cast<std::size_t>(bytes), offset);
        if (read < 0 && errno == EINTR) continue;
        if (read < 0) raiseSystemError();
        if (read == 0)
            throw Failure("it is truncated: it has " + std::to_string(size()) + " bytes, " +
                          std::to_string(offset + bytes) + " and more are needed");
        to += read;
        offset += read;
        bytes -= read;
    }
}

void DiskFile::sync() {
    if (::fsync(handle_) != 0) raiseSystemError();
}

void DiskFile::close() {
    const int handle = std::exchange(handle_, -1);
    if (handle >= 0 && ::close(handle) != 0) raiseSystemError();
}

namespace {

std::filesystem::path folderOf(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder;
}

}  // namespace

void syncFolderOf(const std::string& path) {
    const int handle = opened(folderOf(path).string(), O_RDONLY | O_DIRECTORY);
    const bool isSynced = ::fsync(handle) == 0 || errno == EINVAL;  // some file systems cannot
    ::close(handle);
    if (!isSynced) raiseSystemError();
}

void rename(const std::string& from, const std::string& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) raiseSystemError();
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

void removeUnfinished(const std::string& path) {
    const std::string start = std::filesystem::path(path).filename().string() + unfinished;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folderOf(path), error))
        if (entry.path().filename().string().starts_with(start))
            std::filesystem::remove(entry.path(), error);
}

}  // namespace hpspmd::detail::files
