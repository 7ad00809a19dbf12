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
void Bell::sleep(double seconds) {
    const double limit = std::max(seconds, 0.0);
    timespec time{};
    time.tv_sec = static_cast<std::time_t>(limit);
    time.tv_nsec = static_cast<long>((limit - static_cast<double>(time.tv_sec)) * 1e9);
    const std::uint32_t state = state_.load(std::memory_order_relaxed);
    if (state == Ignores) return;
    ::syscall(SYS_futex, &state_, FUTEX_WAIT, state, &time, nullptr, 0);
    ignore();
}

void Bell::note(Events event) {
    const Events left = awaited_.fetch_and(~event, std::memory_order_seq_cst) & ~event;
    if (left == 0 || state_.load(std::memory_order_relaxed) == ListensToFirst) wake();
}

void Bell::wake() {
    if (state_.exchange(Ignores, std::memory_order_relaxed) != Ignores)
        ::syscall(SYS_futex, &state_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace hpspmd::detail
