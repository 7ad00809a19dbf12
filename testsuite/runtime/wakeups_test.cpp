// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// No ring of a bell is lost: processes send each other messages through Channels at random
/// moments, and sleep while they wait; so long that after a lost ring the test would not end. In a
/// circle a process is woken by the first message that is posted or taken on either side; in
/// rounds, in which each sends to each, by the last one of its round. The argument is the number of
/// messages in each direction of the circle (default 20,000):
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
#include <vector>

using namespace hpspmd::detail;

namespace {

constexpr double forever = 1e6;

/// What a process shows: its bell, and its channels to each one, by place.
struct Shown {
    static constexpr int mostProcesses = 35;

    Bell bell;
    std::array<Channel, mostProcesses> to;
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

/// The processes of a test, as one of them sees them.
struct Job {
    Shown* all;
    int processes, place;

    Shown& own() const { return all[place]; }
    Bell& bell() const { return own().bell; }
    int neighbour(int distance) const { return (place + processes + distance) % processes; }
    std::size_t index(int process) const { return static_cast<std::size_t>(process); }
    Outlet outletTo(int process) const {
        return Outlet(&own().to[index(process)], {&all[process].bell, index(place)});
    }
    Inlet inletFrom(int process) const {
        return Inlet(&all[process].to[index(place)], nullptr, nullptr,
                     {&all[process].bell, index(place)});
    }
    /// Looks until all is done; in between it sleeps. `step()`: true if something was done;
    /// `awaited()`: nothing once all is.
    template <class Step, class Awaited>
    void run(Bell::Until until, const Step& step, const Awaited& awaited) const {
        bool listens = false;
        while (awaited() != 0) {
            if (step()) continue;
            if (listens && bell().keep(awaited())) {
                bell().sleep(forever);
                listens = false;
            } else {
                bell().listen(awaited(), until);
                listens = true;
            }
        }
        bell().ignore();
    }
};

/// Both directions between this process and a neighbour; never more than `ahead` messages ahead.
struct Side {
    std::size_t place;
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
    Bell::Events awaited(std::uint64_t messages) const {
        const bool waitsForSlot = sent < messages && sent < received + ahead;
        return (received < messages ? Bell::events(Bell::Posted, place) : 0) |
               (waitsForSlot ? Bell::events(Bell::Taken, place) : 0);
    }
};

void runInCircle(const Job& job, std::uint64_t messages) {
    std::vector<Side> sides;
    for (const int distance : job.processes == 2 ? std::vector{1} : std::vector{-1, 1}) {
        const int other = job.neighbour(distance);
        sides.push_back({job.index(other), job.outletTo(other), job.inletFrom(other),
                         job.processes == 2 ? 1u : 3u});
    }
    Delays delays(static_cast<unsigned>(job.place));
    const auto step = [&] {
        delays.pass();
        bool moved = false;
        for (Side& side : sides) moved |= side.advance(messages);
        return moved;
    };
    job.run(Bell::Until::First, step, [&] {
        Bell::Events all = 0;
        for (const Side& side : sides) all |= side.awaited(messages);
        return all;
    });
}

void runRounds(const Job& job, std::uint64_t rounds) {
    std::vector<Side> sides;
    for (int other = 0; other < job.processes; ++other)
        if (other != job.place)
            sides.push_back({job.index(other), job.outletTo(other), job.inletFrom(other), 1});
    Delays delays(static_cast<unsigned>(job.place));
    for (std::uint64_t round = 1; round <= rounds; ++round) {
        const auto step = [&] {
            delays.pass();
            bool moved = false;
            for (Side& side : sides) moved |= side.advance(round);
            return moved;
        };
        job.run(Bell::Until::All, step, [&] {
            Bell::Events all = 0;
            for (const Side& side : sides) all |= side.awaited(round);
            return all;
        });
    }
}

/// True if all processes come to their end.
template <class Run>
bool runAll(int processes, const Run& run, std::uint64_t messages) {
    const std::size_t bytes = static_cast<std::size_t>(processes) * sizeof(Shown);
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    auto* const all = static_cast<Shown*>(memory);
    for (int place = 0; place < processes; ++place) new (all + place) Shown{};
    for (int place = 0; place < processes; ++place)
        if (::fork() == 0) {
            run({all, processes, place}, messages);
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
        if (!runAll(processes, runInCircle, messages)) return 1;
    // Of 35, some are not told apart.
    for (const int processes : {2, 4, 8, 35})
        if (!runAll(processes, runRounds, messages / static_cast<unsigned>(processes))) return 1;
    std::printf("%llu messages in each direction came\n",
                static_cast<unsigned long long>(messages));
}
