// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/deep_stack.hpp"

#include <algorithm>
#include <deque>
#include <exception>

#include <pthread.h>
#include <sys/resource.h>

#include "threads/memory.hpp"
#include "threads/signal_stack.hpp"

namespace hpcc::threads {
namespace {

constexpr size_t stackBytes = size_t{1} << 30;
constexpr size_t leastStackBytes = size_t{1} << 20;

/// An address space limit also has to hold what the work needs.
size_t deepestStack() {
    rlimit limit;
    ::getrlimit(RLIMIT_AS, &limit);
    return std::min<rlim_t>(stackBytes, limit.rlim_cur / 8);
}

/// Starts a thread with the deepest stack that there is room for.
bool start(pthread_t& thread, void* (*function)(void*), void* argument) {
    for (size_t bytes = deepestStack(); bytes >= leastStackBytes; bytes /= 2) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, bytes);
        const bool isStarted = pthread_create(&thread, &attributes, function, argument) == 0;
        pthread_attr_destroy(&attributes);
        if (isStarted) return true;
    }
    return false;
}

/// A thread at work, or work done at once if there is no thread for it.
class Worker {
public:
    explicit Worker(const std::function<void()>& work) : work_(work) {
        isStarted_ = start(thread_, perform, this);
        if (!isStarted_) work();  // no thread left: on our own stack
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Waits for the end.
    void join() {
        if (isStarted_) pthread_join(thread_, nullptr);
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    static void* perform(void* argument) {
        const SignalStack signals;
        static_cast<Worker*>(argument)->work();
        return nullptr;
    }

    void work() {
        try {
            work_();
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    const std::function<void()>& work_;
    std::exception_ptr failure_;
    pthread_t thread_{};
    bool isStarted_ = false;
};

}  // namespace

void onDeepStack(const std::function<void()>& work) {
    useLargePages();
    Worker worker(work);
    worker.join();
    worker.rethrow();
}

void together(const std::vector<std::function<void()>>& works) {
    if (works.empty()) return;
    std::deque<Worker> workers;
    for (auto work = works.begin(); work + 1 != works.end(); ++work) workers.emplace_back(*work);
    std::exception_ptr own;
    try {
        works.back()();
    } catch (...) {
        own = std::current_exception();
    }
    for (Worker& each : workers) each.join();
    if (own) std::rethrow_exception(own);
    for (const Worker& each : workers) each.rethrow();
}

}  // namespace hpcc::threads
