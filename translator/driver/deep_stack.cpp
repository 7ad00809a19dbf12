#include "driver/deep_stack.hpp"

#include <exception>

#include <malloc.h>
#include <pthread.h>

namespace hpcc::driver {
namespace {

constexpr size_t stackBytes = size_t{1} << 30;

struct Call {
    const std::function<void()>& body;
    std::exception_ptr failure;
};

void* perform(void* argument) {
    auto& call = *static_cast<Call*>(argument);
    try {
        call.body();
    } catch (...) {
        call.failure = std::current_exception();
    }
    return nullptr;
}

}  // namespace

void onDeepStack(const std::function<void()>& body) {
#ifdef M_ARENA_MAX
    // One thread works at a time: it takes the main heap, in large steps, and gives nothing back.
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
#endif
    Call call{body, nullptr};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stackBytes);
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, perform, &call) == 0;
    pthread_attr_destroy(&attributes);
    if (started) {
        pthread_join(thread, nullptr);
    } else {
        perform(&call);  // an address space limit: shallow files still work on our own stack
    }
    if (call.failure) std::rethrow_exception(call.failure);
}

}  // namespace hpcc::driver
