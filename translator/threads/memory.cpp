// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <string>

#include <unistd.h>

#ifdef HPCPP_MIMALLOC
#include <mimalloc.h>
#endif

namespace hpcc::threads {
namespace {

constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

/// The number that stands alone in a file; `otherwise` if there is none ("max").
uint64_t numberIn(const std::string& path, uint64_t otherwise) {
    uint64_t number = 0;
    return std::ifstream(path) >> number ? number : otherwise;
}

uint64_t availableInMachine() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    uint64_t kibibytes = 0;
    while (file >> word)
        if (word == "MemAvailable:" && file >> kibibytes) return kibibytes << 10;
    return unlimited;
}

/// What one control group leaves: its limit without what it uses.
uint64_t left(const std::string& limit, const std::string& used) {
    const uint64_t most = numberIn(limit, unlimited);
    const uint64_t now = numberIn(used, 0);
    return most == unlimited ? unlimited : most - std::min(most, now);
}

/// Of the control group that a container sees as the root, in both versions.
uint64_t availableInContainer() {
    const std::string second = "/sys/fs/cgroup/memory.", first = "/sys/fs/cgroup/memory/memory.";
    return std::min(left(second + "max", second + "current"),
                    left(first + "limit_in_bytes", first + "usage_in_bytes"));
}

uint64_t addressSpaceInUse() {
    const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    return numberIn("/proc/self/statm", 0) * page;
}

#ifdef HPCPP_MIMALLOC
void (*endOfMemory)() = nullptr;

/// It would end the process itself, for it does not find the handler of the C++ library.
void onError(int error, void*) {
    if (error == ENOMEM) endOfMemory();
}
#endif

}  // namespace

void useLargePages() {
#ifdef HPCPP_MIMALLOC
    mi_option_enable(mi_option_large_os_pages);
    mi_option_set(mi_option_eager_commit_delay, 0);
#endif
}

void whenMemoryEnds(void (*handler)()) {
    std::set_new_handler(handler);
#ifdef HPCPP_MIMALLOC
    endOfMemory = handler;
    mi_register_error(onError, nullptr);
#endif
}

WithinAvailableMemory::WithinAvailableMemory() {
    rlimit limit;
    ::getrlimit(RLIMIT_AS, &limit);
    before_ = limit.rlim_cur;
    const uint64_t available = std::min(availableInMachine(), availableInContainer());
    if (available == unlimited) return;
    limit.rlim_cur = std::min<rlim_t>(before_, addressSpaceInUse() + available);
    ::setrlimit(RLIMIT_AS, &limit);
}

WithinAvailableMemory::~WithinAvailableMemory() {
    rlimit limit;
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = before_;
    ::setrlimit(RLIMIT_AS, &limit);
}

}  // namespace hpcc::threads
