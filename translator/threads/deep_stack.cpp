#include "threads/deep_stack.hpp"

#include <deque>
#include <exception>

#include <pthread.h>

#include "threads/memory.hpp"

namespace hpcc::threads {
namespace {

constexpr size_t stackBytes = size_t{1} << 30;

/// A thread at work, or work done at once if there is no thread for it.
class Worker {
public:
    explicit Worker(const std::function<void()>& work) : work_(work) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, stackBytes);
        isStarted_ = pthread_create(&thread_, &attributes, perform, this) == 0;
        pthread_attr_destroy(&attributes);
        // An address space limit: shallow files still work on our own stack.
        if (!isStarted_) perform(this);
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
        auto& worker = *static_cast<Worker*>(argument);
        try {
            worker.work_();
        } catch (...) {
            worker.failure_ = std::current_exception();
        }
        return nullptr;
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
