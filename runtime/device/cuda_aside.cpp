// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_aside.hpp"

#include "device/cuda.hpp"

#include <utility>

namespace hpspmd::detail {
namespace {

constexpr unsigned withoutTimes = 2;

}  // namespace

CudaAside::Calls::Calls(const devices::Library& library)
    : priorities(library, "cuCtxGetStreamPriorityRange"),
      createStream(library, "cuStreamCreateWithPriority"),
      createEvent(library, "cuEventCreate"),
      record(library, "cuEventRecord"),
      wait(library, "cuStreamWaitEvent") {}

bool CudaAside::create() {
    try {
        calls_.emplace(driver_.library);
    } catch (const devices::Unusable&) {
        return false;
    }
    int least = 0, greatest = 0;
    return calls_->priorities(&least, &greatest) == 0 &&
           calls_->createEvent(&event_, withoutTimes) == 0 &&
           calls_->createStream(&stream_, cudaStreamNonBlocking, greatest) == 0;
}

bool CudaAside::isMade() {
    if (!std::exchange(wasTried_, true) && !create()) stream_ = nullptr;
    return stream_ != nullptr;
}

/// One event will do: who waits for it means what it was recorded for before.
bool CudaAside::follows(Handle later, Handle earlier) const {
    return calls_->record(event_, earlier) == 0 && calls_->wait(later, event_, 0) == 0;
}

void CudaAside::open() { isOpen_ = isMade() && follows(stream_, first_); }

bool CudaAside::join() {
    return !std::exchange(isOpen_, false) || follows(first_, stream_) ||
           driver_.waitFor(stream_) == 0;
}

bool CudaAside::isChosen() const { return isOpen_ && Aside::isHere(); }

/// From home. What the second stream does ends while the first one goes on.
bool CudaDevice::waitForCopy() {
    if (!aside_.isChosen()) return wait();
    hasFailed_ = hasFailed_ || driver_.waitFor(aside_.chosen()) != 0;
    return !hasFailed_;
}

void CudaDevice::openAside() {
    const std::lock_guard lock(mutex_);
    if (!hasFailed_ && driver_.useContext(context_) == 0) aside_.open();
}

bool CudaDevice::joinAside() {
    const std::lock_guard lock(mutex_);
    hasFailed_ = hasFailed_ || driver_.useContext(context_) != 0 || !aside_.join();
    return !hasFailed_;
}

bool CudaDevice::isCrowded() {
    const DeviceSharing* const known = sharing();
    return known != nullptr && known->isCrowded();
}

}  // namespace hpspmd::detail
