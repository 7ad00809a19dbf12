// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What this process holds of the system.

#include <dirent.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "comms.hpp"

namespace hpspmd::test {

/// Bytes of memory in use.
inline long memoryInUse() {
    long all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

inline long openFiles() {
    long count = 0;
    DIR* const folder = ::opendir("/proc/self/fd");
    if (folder == nullptr) return 0;
    while (::readdir(folder) != nullptr) ++count;
    ::closedir(folder);
    return count;
}

inline long mappings() {
    std::ifstream file("/proc/self/maps");
    long count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
}

/// Those that we have made.
inline long communicators() { return static_cast<long>(detail::commCount()); }

}  // namespace hpspmd::test
