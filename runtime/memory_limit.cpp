// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_limit.hpp"

#include <algorithm>
#include <fstream>

namespace hpspmd::detail {
namespace {

constexpr const char* firstFile = "memory.limit_in_bytes";
constexpr const char* secondFile = "memory.max";

// The number in a file; `otherwise` if there is none, as in "max".
std::size_t numberIn(const std::string& path, std::size_t otherwise) {
    std::ifstream file(path);
    std::size_t number = 0;
    return file >> number ? number : otherwise;
}

// The value of a line "name value".
std::size_t valueIn(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    std::string word;
    std::size_t value = 0;
    while (file >> word >> value)
        if (word == name) return value;
    return 0;
}

}  // namespace

MemoryLimit::MemoryLimit(const ControlGroups& groups) {
    groups.forEach("memory", [this](const std::string& folder, int version) {
        narrow(folder, version == 2 ? secondFile : firstFile);
    });
}

void MemoryLimit::narrow(const std::string& folder, const char* file) {
    const std::size_t limit = numberIn(folder + "/" + file, none);
    if (limit >= bytes_) return;
    bytes_ = limit;
    folder_ = folder;
    isFirstVersion_ = file == firstFile;
}

const MemoryLimit& MemoryLimit::actual() {
    static const MemoryLimit& limit = *new MemoryLimit(ControlGroups::actual());
    return limit;
}

std::size_t MemoryLimit::used() const {
    if (!exists()) return 0;
    const std::string total = isFirstVersion_ ? "total_" : "";
    const std::string usage = isFirstVersion_ ? "/memory.usage_in_bytes" : "/memory.current";
    const std::string statistics = folder_ + "/memory.stat";
    const std::size_t all = numberIn(folder_ + usage, 0);
    const std::size_t files =
        valueIn(statistics, total + "inactive_file") + valueIn(statistics, total + "active_file");
    return all - std::min(all, files);
}

}  // namespace hpspmd::detail
