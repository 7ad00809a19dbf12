// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/result_file.hpp"

#include <hpspmd/error.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hpspmd::detail {

ResultFile::ResultFile(std::string path, std::string kind)
    : path_(std::move(path)),
      kind_(std::move(kind)),
      beside_(path_ + ".tmp." + std::to_string(::getpid())),
      file_(std::fopen(beside_.c_str(), "w")) {
    if (file_ == nullptr) fail();
}

ResultFile::~ResultFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    ::unlink(beside_.c_str());
}

void ResultFile::write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void ResultFile::commit() {
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0 || std::rename(beside_.c_str(), path_.c_str()) != 0) {
        const int cause = errno;
        ::unlink(beside_.c_str());
        errno = cause;
        fail();
    }
}

void ResultFile::fail() {
    throw IoError("cannot write '" + path_ + "', the " + kind_ + ": " + std::strerror(errno), {});
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        char escaped[8];
        if (c == '"' || c == '\\') {
            result += {'\\', c};
        } else if (code < 0x20) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
            result += escaped;
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string programName() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).filename().string();
}

}  // namespace hpspmd::detail
