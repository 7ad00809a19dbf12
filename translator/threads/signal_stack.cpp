// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/signal_stack.hpp"

#include <cstdint>

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

namespace hpcc::threads {
namespace {

constexpr size_t bytes = size_t{256} << 10;

thread_local uintptr_t lowestOfStack = 0;

uintptr_t findLowest() {
    pthread_attr_t attributes;
    void* lowest = nullptr;
    size_t size = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
    ::pthread_attr_getstack(&attributes, &lowest, &size);
    ::pthread_attr_destroy(&attributes);
    return reinterpret_cast<uintptr_t>(lowest);
}

}  // namespace

SignalStack::SignalStack()
    : memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    lowestOfStack = findLowest();
    if (memory_ == MAP_FAILED) return;
    stack_t stack = {};
    stack.ss_sp = memory_;
    stack.ss_size = bytes;
    ::sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(memory_, bytes);
}

bool isEndOfStack(const void* address) {
    constexpr uintptr_t near = 1 << 20;  // a frame may be larger than the guard below the stack
    const auto place = reinterpret_cast<uintptr_t>(address);
    return lowestOfStack != 0 && place + near > lowestOfStack && place < lowestOfStack + near;
}

}  // namespace hpcc::threads
