// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that share a loop by hand.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace javagrande {

// As many as OMP_NUM_THREADS says, or two.
inline std::size_t threads() {
    const char* const wanted = std::getenv("OMP_NUM_THREADS");
    const int count = wanted == nullptr ? 2 : std::atoi(wanted);
    return count < 1 ? 1 : static_cast<std::size_t>(count);
}

// body(t) for each thread t; the calling one is the last.
template <class Body>
void inThreads(std::size_t count, const Body& body) {
    std::vector<std::thread> others;
    for (std::size_t t = 0; t + 1 < count; ++t) others.emplace_back(body, t);
    body(count - 1);
    for (std::thread& each : others) each.join();
}

// The first of the iterations 0 .. n - 1 of thread t; parts begin at multiples of a number.
inline std::size_t partOf(std::size_t n, std::size_t t, std::size_t count, std::size_t multiple) {
    const std::size_t stretches = (n + multiple - 1) / multiple;
    const std::size_t size = (stretches + count - 1) / count * multiple;
    return t * size < n ? t * size : n;
}

class Barrier {
public:
    explicit Barrier(std::size_t count) : count_(count), missing_(count) {}

    void wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        const std::size_t round = round_;
        if (--missing_ == 0) {
            missing_ = count_;
            ++round_;
            all_.notify_all();
        } else {
            all_.wait(lock, [&] { return round_ != round; });
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable all_;
    std::size_t count_, missing_, round_ = 0;
};

}  // namespace javagrande
