// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "links/bell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace hpspmd::detail {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t),
              "the system compares the bits");

// Without FUTEX_PRIVATE_FLAG: the two processes know the word by different addresses.
void Bell::sleep(std::uint32_t events, double seconds) {
    const double limit = std::max(seconds, 0.0);
    timespec time{};
    time.tv_sec = static_cast<std::time_t>(limit);
    time.tv_nsec = static_cast<long>((limit - static_cast<double>(time.tv_sec)) * 1e9);
    ::syscall(SYS_futex, &events_, FUTEX_WAIT, events, &time, nullptr, 0);
}

void Bell::wake() {
    if (events_.exchange(0, std::memory_order_relaxed) != 0)
        ::syscall(SYS_futex, &events_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace hpspmd::detail
