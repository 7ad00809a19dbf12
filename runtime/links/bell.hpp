// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Bell, what a process sleeps on until others have done what it waits for.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hpspmd::detail {

/// Lies in memory that all of them can see; all zero at first. The owner says what it waits for,
/// looks once more what of that has not happened yet, and sleeps; another one rings after what it
/// does:
///     owner: bell.listen(all); missing = look(all); if (bell.keep(missing)) bell.sleep(limit);
///     other: post; bell.ring(Bell::events(Bell::Posted, place));
/// It is woken once for all that it waits for, by who does the last of it. Either the owner sees
/// what was done, or the other one sees that the owner listens: no ring is lost. Rings that are
/// late or for something else wake the owner too early at worst. While nobody listens a ring costs
/// a fence and a load. One thread at a time sleeps.
class Bell {
public:
    /// What is rung for.
    enum Event : std::uint32_t { Posted, Taken };

    /// Events of single processes: bits. Places that are equal modulo 32 are not told apart.
    using Events = std::uint64_t;
    static constexpr Events events(Event event, std::size_t place) {
        return Events{1} << (32 * event + place % 32);
    }
    enum class Until { All, First };

    /// From now on all of these events together, or the first of them, wake the owner, once.
    void listen(Events events, Until until = Until::All) {
        state_.store(until == Until::All ? ListensToAll : ListensToFirst,
                     std::memory_order_relaxed);
        awaited_.store(events, std::memory_order_release);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    /// After listen(): the others have happened. False if these have too, or it has rung.
    bool keep(Events missing) {
        return (awaited_.fetch_and(missing, std::memory_order_seq_cst) & missing) != 0;
    }
    void ignore() {
        awaited_.store(0, std::memory_order_relaxed);
        state_.store(Ignores, std::memory_order_relaxed);
    }
    /// Returns once it has rung since listen(), or after so many seconds; sometimes earlier.
    void sleep(double seconds);

    /// To be called when the event can be seen.
    void ring(Events event) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if ((awaited_.load(std::memory_order_relaxed) & event) != 0) note(event);
    }
    /// The same, for what the owner must act on before anything else happens.
    void ringAtOnce() {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (state_.load(std::memory_order_relaxed) != Ignores) wake();
    }

private:
    enum State : std::uint32_t { Ignores, ListensToAll, ListensToFirst };

    void note(Events event);
    void wake();

    std::atomic<std::uint32_t> state_{Ignores};
    std::atomic<Events> awaited_{0};  ///< what has not been rung for
};

}  // namespace hpspmd::detail
