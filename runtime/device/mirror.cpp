// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/mirror.hpp"

#include "device/backend.hpp"
#include "device/report.hpp"

#include <hpspmd/device/home.hpp>

#include <mutex>

namespace hpspmd::detail {
namespace {

/// Threads of a nest may ask for one array.
std::mutex& oneAfterTheOther() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
}

}  // namespace

Mirror::Mirror(Storage& storage, Where where) : storage_(storage), where_(where) {}

Mirror::~Mirror() {
    noteCopies(where_, bytes(), copies_);
    if (memory_ != nullptr) device_->release(memory_, bytes());
}

std::size_t Mirror::bytes() const {
    return static_cast<std::size_t>(storage_.slots) * storage_.elementSize;
}

bool Mirror::isReadyFor(Backend& device) {
    const std::lock_guard lock(oneAfterTheOther());
    if (staysHome_) return false;
    if (memory_ != nullptr) return device_ == &device;
    memory_ = device.allocate(bytes());
    if (memory_ == nullptr) return false;
    device_ = &device;
    device.invalidated(memory_, bytes(), storage_.elementSize);
    return true;
}

std::byte* Mirror::takenTo(Backend&, Use use) {
    const std::lock_guard lock(oneAfterTheOther());
    enter(stepOf(state_, Side::Device, use), {});
    return memory_;
}

void Mirror::bringHome(Use use, Where where) {
    const std::lock_guard lock(oneAfterTheOther());
    enter(stepOf(state_, Side::Home, use), where);
}

void Mirror::stayHome(Where where) {
    bringHome(Use::Writes, where);
    staysHome_ = true;
}

void Mirror::enter(const Step& step, Where where) {
    const std::size_t size = bytes();
    switch (step.first) {
    case Copying::None:
        break;
    case Copying::Clear:
        device_->clear(memory_, size);
        break;
    case Copying::ToDevice:
        device_->copyIn(memory_, storage_.address, size);
        ++copies_.toDevice;
        break;
    case Copying::ToHome:
        device_->copyOut(storage_.address, memory_, size);
        ++copies_.toHome;
        copies_.lastHome = where;
        break;
    }
    const State before = std::exchange(state_, step.next);
    if (before == state_ || memory_ == nullptr) return;
    if (state_ == State::Device)
        device_->invalidated(storage_.address, size, storage_.elementSize);
    else if (state_ == State::Home)
        device_->invalidated(memory_, size, storage_.elementSize);
}

void bringHome(Mirror& mirror, Use use, Where where) { mirror.bringHome(use, where); }
void stayHome(Mirror& mirror, Where where) { mirror.stayHome(where); }

}  // namespace hpspmd::detail
