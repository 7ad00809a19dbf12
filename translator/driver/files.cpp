// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/files.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <fmt/core.h>
#include <limits.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/failure.hpp"
#include "source/file.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

[[noreturn]] void fileFailure(const char* what, const fs::path& path, const std::string& reason) {
    throw Failure(ExitCode::SourceError, fmt::format("{} '{}': {}", what, path.string(), reason));
}

/// 16 digits that nobody can guess.
std::string randomDigits() {
    uint64_t number = 0;
    while (::getrandom(&number, sizeof number, 0) != sizeof number && errno == EINTR) {
    }
    return fmt::format("{:016x}", number);
}

/// What is open already, as /dev/stdout is.
bool isDescriptor(const fs::path& path) {
    const std::string text = path.string();
    const bool isOfProcess = text.starts_with("/proc/") && text.find("/fd/") != text.npos;
    return isOfProcess || text.starts_with("/dev/fd/");
}

}  // namespace

std::string readSource(const fs::path& path) {
    source::Content content = source::readContent(path.string());
    if (!content.problem.empty()) fileFailure("cannot read", path, content.problem);
    return std::move(content.bytes);
}

void requireReadable(const fs::path& path) {
    const std::string problem = source::problemOf(path.string());
    if (!problem.empty()) fileFailure("cannot read", path, problem);
}

bool isRegularFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

int writeAll(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count >= 0) {
            bytes.remove_prefix(static_cast<size_t>(count));
        } else if (errno == EAGAIN) {
            pollfd ready{descriptor, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

fs::path destinationOf(const fs::path& target) {
    constexpr int mostLinks = 40;  // as in the kernel; a circle is told when the file is opened
    fs::path path = target;
    for (int k = 0; k < mostLinks && !isDescriptor(path); ++k) {
        std::error_code isNoLink;
        const fs::path next = fs::read_symlink(path, isNoLink);
        if (isNoLink) break;
        path = path.parent_path() / next;
    }
    return path;
}

Output::Output(fs::path target) : target_(std::move(target)), destination_(destinationOf(target_)) {
    std::error_code error;
    const fs::file_status status = fs::status(destination_, error);
    if (fs::is_directory(status)) fileFailure("cannot write", target_, "it is a directory");
    if (error && status.type() != fs::file_type::not_found) fail(error.value());
    isInPlace_ = isDescriptor(destination_) || (fs::exists(status) && !fs::is_regular_file(status));
    if (isInPlace_)
        path_ = target_;
    else
        openTemporary();
}

/// A name has at most 255 bytes, so of a long one only a part stands in the temporary one.
void Output::openTemporary() {
    const std::string end = ".hpcc-tmp" + randomDigits();
    const std::string name = destination_.filename().string();
    path_ = destination_.parent_path() / (name.substr(0, NAME_MAX - end.size()) + end);
    if (name.size() > NAME_MAX) fail(ENAMETOOLONG);
    descriptor_ = temporary_.make(path_, [this] {
        return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    });
    if (descriptor_ < 0) fail(errno);
}

Output::~Output() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void Output::fail(int error) const { fileFailure("cannot write", target_, std::strerror(error)); }

void Output::write(std::string_view text) {
    if (isInPlace_) descriptor_ = ::open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail(errno);
    if (const int error = writeAll(descriptor_, text)) fail(error);
}

void Output::closeDescriptor() {
    if (descriptor_ < 0) return;
    const int result = ::close(descriptor_);
    descriptor_ = -1;
    if (result != 0 && errno != EINTR) fail(errno);
}

void Output::commit() {
    closeDescriptor();
    if (isInPlace_) return;
    const auto rename = [this] { return ::rename(path_.c_str(), destination_.c_str()); };
    if (temporary_.keep(rename) != 0) fail(errno);
}

void writeFile(const fs::path& target, std::string_view text) {
    Output output(target);
    output.write(text);
    output.commit();
}

void makeFolders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) fileFailure("cannot make the folder", folder, error.message());
}

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) fileFailure("cannot use", "TMPDIR", error.message());
    path_ = parent / ("hpcc-" + randomDigits());
    const auto make = [this] { return ::mkdir(path_.c_str(), 0700); };
    if (folder_.make(path_, make) != 0)
        fileFailure("cannot make the folder", path_, std::strerror(errno));
}

}  // namespace hpcc::driver
