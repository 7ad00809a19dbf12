// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Bell, what a process sleeps on until another one has done what it waits for.

#include <atomic>
#include <cstdint>

namespace hpspmd::detail {

/// Lies in memory that both can see; all zero at first. The owner listens, looks once more whether
/// what it waits for has happened, and sleeps; another one rings after what it does:
///     owner: bell.listen(Bell::Posted); if (nothing has come) bell.sleep(Bell::Posted, limit);
///     other: post; bell.ring(Bell::Posted);
/// Either the owner sees what was posted, or the other one sees that the owner listens: no ring is
/// lost. While nobody listens a ring costs a fence and a load. One thread at a time sleeps.
class Bell {
public:
    /// What is rung for: bits, of which the owner listens to some.
    enum Event : std::uint32_t { Posted = 1, Taken = 2 };

    /// The next such event rings, once. Events until then must be looked for after this.
    void listen(std::uint32_t events) {
        events_.store(events, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    /// True until it has rung, after listen(events).
    bool isListening(std::uint32_t events) const {
        return events_.load(std::memory_order_relaxed) == events;
    }
    void ignore() { events_.store(0, std::memory_order_relaxed); }

    /// Returns once it has rung since listen(events), or after so many seconds; sometimes earlier.
    void sleep(std::uint32_t events, double seconds);

    /// To be called when the event can be seen.
    void ring(Event event) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if ((events_.load(std::memory_order_relaxed) & event) != 0) wake();
    }

private:
    void wake();

    std::atomic<std::uint32_t> events_{0};
};

}  // namespace hpspmd::detail
