// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What exchanges must take at least where processes share cores: a round in which each of so many
// processes is woken once and sleeps again, and nothing else is done. The processes hand on turns,
// as many at a time as there are cores: a circle for each core, whose processes are bound to it, or
// are not. Prints the median of five series in microseconds for each round:
//     limit 4 8 16 64
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "../bench.hpp"

namespace {

constexpr std::uint32_t rounds = 2000;
constexpr int series = 5;

struct alignas(64) Seat {
    std::atomic<std::uint32_t> turns{0};  // that its process has been given

    void give() {
        turns.fetch_add(1);
        ::syscall(SYS_futex, &turns, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    }
    void await(std::uint32_t turn) {
        for (std::uint32_t had = turns.load(); had < turn; had = turns.load())
            ::syscall(SYS_futex, &turns, FUTEX_WAIT, had, nullptr, nullptr, 0);
    }
};

std::vector<int> ownCores() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof mask, &mask);
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &mask)) cores.push_back(core);
    return cores;
}

void bindTo(int core) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(core, &mask);
    sched_setaffinity(0, sizeof mask, &mask);
}

// In a session of its own, as launchers start processes.
void run(Seat* seats, int processes, int place, const std::vector<int>& cores, bool isBound) {
    ::setsid();
    const int circles = static_cast<int>(cores.size());
    if (isBound) bindTo(cores[static_cast<std::size_t>(place % circles)]);
    const int next = place + circles < processes ? place + circles : place % circles;
    for (std::uint32_t turn = 1; turn <= rounds; ++turn) {
        seats[place].await(turn);
        seats[next].give();
    }
}

double secondsOf(int processes, const std::vector<int>& cores, bool isBound) {
    const std::size_t bytes = static_cast<std::size_t>(processes) * sizeof(Seat);
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::exit(1);
    Seat* const seats = static_cast<Seat*>(memory);
    for (int place = 0; place < processes; ++place) new (seats + place) Seat;
    for (int place = 0; place < processes; ++place)
        if (::fork() == 0) {
            run(seats, processes, place, cores, isBound);
            ::_exit(0);
        }
    ::usleep(100'000);  // until all wait
    const double start = bench::seconds();
    for (std::size_t circle = 0; circle < cores.size(); ++circle) seats[circle].give();
    while (::wait(nullptr) > 0) {
    }
    const double elapsed = bench::seconds() - start;
    ::munmap(memory, bytes);
    return elapsed / rounds;
}

double median(int processes, const std::vector<int>& cores, bool isBound) {
    std::vector<double> times;
    for (int k = 0; k < series; ++k) times.push_back(secondsOf(processes, cores, isBound));
    std::sort(times.begin(), times.end());
    return times[series / 2] * 1e6;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<int> cores = ownCores();
    for (int k = 1; k < argc; ++k) {
        const int processes = std::max(std::atoi(argv[k]), static_cast<int>(cores.size()));
        std::printf("%d processes on %zu cores: bound %.1f, not bound %.1f us\n", processes,
                    cores.size(), median(processes, cores, true), median(processes, cores, false));
    }
}
