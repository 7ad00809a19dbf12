// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/kernel_cache.hpp"

#include "compose.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace hpspmd::detail {
namespace {

namespace files = std::filesystem;

constexpr std::uintmax_t mostBytes = std::uintmax_t(256) << 20;
constexpr std::string_view magic = "hpspmd kernel 1\n";

/// Empty if there is none.
files::path folder() {
    if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
        return files::path(cache) / "hpcpp" / "kernels";
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home == '/')
        return files::path(home) / ".cache" / "hpcpp" / "kernels";
    return {};
}

files::path fileOf(const std::string& key) {
    std::ostringstream name;
    name << std::hex << std::setfill('0') << std::setw(16) << hashOf(key) << std::setw(16)
         << hashOf(key, secondHash) << ".kernel";
    return folder() / name.str();
}

/// What stands before the kernel: it tells whose it is, and whether it is whole.
std::string headOf(const std::string& key, const std::string& kernel) {
    return compose(magic, key.size(), ' ', kernel.size(), ' ', hashOf(kernel), '\n', key);
}

std::string contentOf(const files::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Removes the oldest entries if there are too many.
void trim() {
    struct Entry {
        files::file_time_type time;
        std::uintmax_t size;
        files::path path;
    };
    std::vector<Entry> entries;
    std::uintmax_t bytes = 0;
    for (const auto& each : files::directory_iterator(folder())) {
        std::error_code error;
        const auto time = each.last_write_time(error);
        const std::uintmax_t size = error ? 0 : each.file_size(error);
        if (error) continue;  // somebody has just removed it
        entries.push_back({time, size, each.path()});
        bytes += size;
    }
    if (bytes <= mostBytes) return;
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.time < b.time; });
    for (const Entry& each : entries) {
        if (bytes <= mostBytes / 2) return;
        std::error_code error;
        files::remove(each.path, error);
        bytes -= each.size;
    }
}

/// Of a file beside it that becomes the entry by its new name.
void write(const files::path& file, const std::string& head, const std::string& kernel) {
    files::create_directories(file.parent_path());
    files::path beside = file;
    beside += compose(".", ::getpid());
    std::ofstream stream(beside, std::ios::binary);
    stream << head << kernel;
    stream.close();
    std::error_code error;
    if (stream) files::rename(beside, file, error);
    if (!stream || error) files::remove(beside, error);
}

/// HPSPMD_KERNELS=keep: the text beside the kernel, to read.
void keepText(const std::string& key) {
    const char* const wanted = std::getenv("HPSPMD_KERNELS");
    if (wanted == nullptr || std::string_view(wanted) != "keep") return;
    std::error_code error;
    files::create_directories(folder(), error);
    std::ofstream(fileOf(key).replace_extension(".txt"), std::ios::binary) << key;
}

}  // namespace

std::uint64_t hashOf(std::string_view text, std::uint64_t hash) {
    for (const char each : text) {
        hash ^= static_cast<unsigned char>(each);
        hash *= 0x100000001B3;
    }
    return hash;
}

std::optional<std::string> cachedKernel(const std::string& key) {
    if (folder().empty()) return std::nullopt;
    keepText(key);
    const std::string content = contentOf(fileOf(key));
    if (content.compare(0, magic.size(), magic) != 0) return std::nullopt;
    std::istringstream numbers(content.substr(magic.size(), 80));
    std::size_t keyLength = 0, length = 0;
    if (!(numbers >> keyLength >> length) || keyLength != key.size() || length > content.size())
        return std::nullopt;
    std::string kernel = content.substr(content.size() - length);
    const std::string head = headOf(key, kernel);
    if (content.size() != head.size() + length || content.compare(0, head.size(), head) != 0)
        return std::nullopt;
    return kernel;
}

void keepKernel(const std::string& key, const std::string& kernel) noexcept {
    try {
        if (folder().empty()) return;
        write(fileOf(key), headOf(key, kernel), kernel);
        trim();
    } catch (const std::exception&) {  // a full or read-only disk: the next program makes it again
    }
}

}  // namespace hpspmd::detail
