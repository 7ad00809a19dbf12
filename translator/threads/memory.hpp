// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the translator takes its memory from.
#pragma once

#include <sys/resource.h>

namespace hpcc::threads {

/// In pages of 2 MiB where the system has such: taking small ones is a tenth of the time of a
/// translation. Before anything large is needed; without mimalloc nothing changes.
void useLargePages();

/// Calls `handler`, which does not return, when there is no memory left.
void whenMemoryEnds(void (*handler)());

/// While it lives, memory beyond what the machine, or the container, has available now is refused,
/// so that hpcc ends with a message, and not by the signal of a system that needs memory. Commands
/// that are started meanwhile inherit the limit.
class WithinAvailableMemory {
public:
    WithinAvailableMemory();
    ~WithinAvailableMemory();
    WithinAvailableMemory(const WithinAvailableMemory&) = delete;
    WithinAvailableMemory& operator=(const WithinAvailableMemory&) = delete;

private:
    rlim_t before_;
};

}  // namespace hpcc::threads
