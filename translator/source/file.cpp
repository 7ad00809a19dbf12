// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hpcc::source {
namespace {

constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

Content failed(std::string problem) { return {{}, std::move(problem)}; }

const char* kindOf(mode_t mode) {
    if (S_ISDIR(mode)) return "it is a directory";
    if (S_ISFIFO(mode)) return "it is a pipe, not a regular file";
    if (S_ISSOCK(mode)) return "it is a socket, not a regular file";
    return "it is a device, not a regular file";
}

// Reads to the end, or one byte more than the longest text; an error number.
int readAll(int descriptor, std::size_t expected, std::string& bytes) {
    constexpr std::size_t least = 4096;
    std::size_t length = 0;
    bytes.resize(expected + 1);  // one more: so the end is seen without a further chunk
    while (length <= longestText) {
        if (length == bytes.size()) bytes.resize(length + std::max(length, least));
        const ssize_t count = ::read(descriptor, bytes.data() + length, bytes.size() - length);
        if (count == 0) break;
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) length += static_cast<std::size_t>(count);
    }
    bytes.resize(length);
    return 0;
}

}  // namespace

std::string problemOf(const std::string& path) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) return std::strerror(errno);
    if (!S_ISREG(status.st_mode)) return kindOf(status.st_mode);
    return ::access(path.c_str(), R_OK) == 0 ? "" : std::strerror(errno);
}

Content readContent(const std::string& path) {
    std::string problem = problemOf(path);
    if (!problem.empty()) return failed(std::move(problem));
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return failed(std::strerror(errno));
    Content content;
    const auto expected = static_cast<std::uint64_t>(status.st_size);
    const int error = expected > longestText ? 0 : readAll(descriptor, expected, content.bytes);
    ::close(descriptor);
    if (error != 0) return failed(std::strerror(error));
    static_assert(longestText == 256 << 20);
    if (std::max<std::uint64_t>(expected, content.bytes.size()) > longestText)
        return failed("it has more than 256 MiB, which is too long for hpcc");
    if (content.bytes.starts_with(byteOrderMark)) content.bytes.erase(0, byteOrderMark.size());
    return content;
}

}  // namespace hpcc::source
