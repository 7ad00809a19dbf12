// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// No ring of a bell is lost: processes in a circle send each other messages through a Channel at
/// random moments, and sleep while they wait; so long that after a lost ring the test would not
/// end. A process waits for posted and for taken messages of both sides at once, with one bell. The
/// argument is the number of messages in each direction (default 20,000):
///     wakeups_test 500000

#include "links/channel.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>

using namespace hpspmd::detail;

namespace {

constexpr double forever = 1e6;

/// What a process shows: its bell, and its channels to the one below and to the one above.
struct Shown {
    Bell bell;
    Channel below, above;
};

/// Both directions between this process and a neighbour; never more than `ahead` messages ahead.
struct Side {
    Outlet out;
    Inlet in;
    std::uint64_t ahead;
    std::uint64_t sent = 0, received = 0;

    /// Does what can be done.
    bool advance(std::uint64_t messages) {
        bool moved = false;
        for (; sent < messages && sent < received + ahead && out.isFree(sent); ++sent, moved = true)
            out.post(out.promise(), sent, 0, Channel::inSlot);
        for (; received < messages && in.arrived(received) != nullptr; ++received, moved = true) {
            if (in.arrived(received)->tag != received) std::_Exit(1);
            in.take(received);
        }
        return moved;
    }
    bool isDone(std::uint64_t messages) const { return sent == messages && received == messages; }
    std::uint32_t awaited(std::uint64_t messages) const {
        const bool waitsForSlot = sent < messages && sent < received + ahead;
        return (received < messages ? Bell::Posted : 0u) | (waitsForSlot ? Bell::Taken : 0u);
    }
};

/// Mostly nothing, now and then some microseconds, seldom a sleep.
class Delays {
public:
    explicit Delays(unsigned seed) : random_(seed) {}

    void pass() {
        const unsigned kind = random_() % 1000;
        if (kind == 0) ::usleep(random_() % 200);
        if (kind % 8 != 1) return;
        for (unsigned left = random_() % 2000; left > 0; --left) asm volatile("");
    }

private:
    std::mt19937 random_;
};

void run(Shown* all, int processes, int place, std::uint64_t messages) {
    const std::uint64_t ahead = processes == 2 ? 1 : 3;
    Shown& own = all[place];
    Shown& lower = all[(place + processes - 1) % processes];
    Shown& upper = all[(place + 1) % processes];
    std::array<Side, 2> sides{Side{Outlet(&own.below, &lower.bell),
                                   Inlet(&lower.above, nullptr, nullptr, &lower.bell), ahead},
                              Side{Outlet(&own.above, &upper.bell),
                                   Inlet(&upper.below, nullptr, nullptr, &upper.bell), ahead}};
    Delays delays(static_cast<unsigned>(place));
    while (!sides[0].isDone(messages) || !sides[1].isDone(messages)) {
        delays.pass();
        bool moved = false;
        for (Side& side : sides) moved |= side.advance(messages);
        if (moved) continue;
        const std::uint32_t events = sides[0].awaited(messages) | sides[1].awaited(messages);
        if (own.bell.isListening(events))
            own.bell.sleep(events, forever);
        else
            own.bell.listen(events);
    }
    own.bell.ignore();
}

/// True if all processes come to their end.
bool runAll(int processes, std::uint64_t messages) {
    const std::size_t bytes = static_cast<std::size_t>(processes) * sizeof(Shown);
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    auto* const all = static_cast<Shown*>(memory);
    for (int place = 0; place < processes; ++place) new (all + place) Shown{};
    for (int place = 0; place < processes; ++place)
        if (::fork() == 0) {
            run(all, processes, place, messages);
            std::_Exit(0);
        }
    int failed = 0;
    for (int status = 0; ::wait(&status) > 0;) failed += status != 0;
    ::munmap(memory, bytes);
    return failed == 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t messages = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
    for (const int processes : {2, 3, 8})
        if (!runAll(processes, messages)) return 1;
    std::printf("%llu messages came\n",
                static_cast<unsigned long long>(2 * (2 + 3 + 8) * messages));
}
