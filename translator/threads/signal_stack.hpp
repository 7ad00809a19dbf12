// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stack that is full leaves no room to say so: the signal that tells it needs another one.
#pragma once

#include <cstddef>

namespace hpcc::threads {

/// While it lives, handlers installed with SA_ONSTACK run on a stack of their own in this thread.
class SignalStack {
public:
    SignalStack();
    ~SignalStack();
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    void* memory_;
};

/// Asked by a handler: true if the address lies at the end of this thread's stack.
bool isEndOfStack(const void* address);

}  // namespace hpcc::threads
