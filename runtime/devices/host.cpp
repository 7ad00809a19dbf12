// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor and its memory.
#include "control_groups.hpp"
#include "cpu_quota.hpp"
#include "devices/device.hpp"
#include "memory_limit.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

namespace hpspmd::devices {
namespace {

using Clock = std::chrono::steady_clock;

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.compare(0, 10, "model name") == 0 && line.find(": ") != std::string::npos)
            return line.substr(line.find(": ") + 2);
    return "processor";
}

/// Those that this process may use, and that its control groups let it use at a time.
int coreCount() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    const int cores = ::sched_getaffinity(0, sizeof mask, &mask) == 0
                          ? CPU_COUNT(&mask)
                          : static_cast<int>(std::thread::hardware_concurrency());
    const double granted = detail::cpuQuota(detail::ControlGroups::actual()).cores;
    return std::max(1, granted > 0 ? std::min(cores, static_cast<int>(granted + 1e-6)) : cores);
}

double pages(int name) {
    return static_cast<double>(::sysconf(name)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// What control groups leave of a number of bytes.
double granted(double bytes, std::size_t alreadyUsed) {
    const detail::MemoryLimit& limit = detail::MemoryLimit::actual();
    if (!limit.exists()) return bytes;
    const std::size_t left = limit.bytes() - std::min(limit.bytes(), alreadyUsed);
    return std::min(bytes, static_cast<double>(left));
}

double freeMemory() {
    return granted(pages(_SC_AVPHYS_PAGES), detail::MemoryLimit::actual().used());
}

/// work(k) in threads k = 0 .. count - 1; seconds until all have ended.
template <class Work>
double secondsOf(int count, const Work& work) {
    std::vector<std::thread> threads;
    const auto start = Clock::now();
    for (int k = 0; k < count; ++k) threads.emplace_back(work, k);
    for (std::thread& thread : threads) thread.join();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

/// By threads that each copy memory of their own, several times as large as caches; the best of
/// some rounds.
double copyBandwidth() {
    const int threads = coreCount();
    constexpr std::size_t most = std::size_t(128) << 20;
    constexpr int rounds = 3;
    const auto count = static_cast<std::size_t>(threads);
    const auto room = static_cast<std::size_t>(freeMemory() / 8);
    const std::size_t bytes = std::min({most, room / count, (std::size_t(2) << 30) / count});
    if (bytes < 4096) return 0;
    std::vector<std::vector<char>> from(count), to(count);
    secondsOf(threads, [&](int k) {  // first touched by the thread that uses them
        from[static_cast<std::size_t>(k)].assign(bytes, 1);
        to[static_cast<std::size_t>(k)].assign(bytes, 2);
    });
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const double seconds = secondsOf(threads, [&](int k) {
            std::memcpy(to[static_cast<std::size_t>(k)].data(),
                        from[static_cast<std::size_t>(k)].data(), bytes);
        });
        best = std::max(best, 2.0 * static_cast<double>(bytes * count) / seconds);
    }
    return to.front().front() == 1 ? best : 0;
}

Device host() {
    const int cores = coreCount();
    return {"threads", processorName(), std::to_string(cores) + (cores == 1 ? " core" : " cores"),
            granted(pages(_SC_PHYS_PAGES), 0)};
}

}  // namespace hpspmd::devices
