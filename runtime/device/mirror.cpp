// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/mirror.hpp"

#include "arena.hpp"
#include "compose.hpp"
#include "device/backend.hpp"
#include "device/hidden_pages.hpp"
#include "device/report.hpp"
#include "device/room.hpp"
#include "device/under_way.hpp"
#include "node.hpp"

#include <hpspmd/device/home.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace hpspmd::detail {
namespace {

/// Threads of a nest may ask for one array.
std::mutex& oneAfterTheOther() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
}

std::vector<Mirror*>& onDevices() {
    static auto& all = *new std::vector<Mirror*>;
    return all;
}

/// How often nests have taken arrays.
std::uint64_t& uses() {
    static std::uint64_t count = 0;
    return count;
}

std::atomic<std::uint64_t> allMoves{0};

}  // namespace

std::uint64_t Mirror::moves() noexcept { return allMoves.load(std::memory_order_relaxed); }
void Mirror::noteMove() noexcept { allMoves.fetch_add(1, std::memory_order_relaxed); }

Mirror::Mirror(Storage& storage, Where where, State state)
    : storage_(storage), where_(where), state_(state) {}

Mirror::~Mirror() {
    noteCopies(where_, bytes(), copies_);
    const std::lock_guard lock(oneAfterTheOther());
    noteMove();
    giveBack();
    if (pinnedBy_ != nullptr) pinnedBy_->unpinHome(storage_.address);
}

void Mirror::giveBack() noexcept {
    if (memory_ == nullptr && split_ == nullptr) return;
    noteMove();
    waitUntilCopied();
    showHome();
    split_.reset();
    if (memory_ != nullptr) device_->release(memory_, bytes());
    memory_ = nullptr;
    device_ = nullptr;
    auto& all = onDevices();
    all.erase(std::find(all.begin(), all.end(), this));
}

std::vector<Mirror*> Mirror::allOnDevices() {
    const std::lock_guard lock(oneAfterTheOther());
    return onDevices();
}

/// What is under way within the array relies on its copies as they are.
void Mirror::finishUnderWay(Side side, Use use) {
    if (!isAnyUnderWay() || staysAsItIs(side, use)) return;
    detail::finishUnderWay(storage_);
}

bool Mirror::staysAsItIs(Side side, Use use) const {
    const std::lock_guard lock(oneAfterTheOther());
    const Step step = stepOf(state_, side, use);
    return split_ == nullptr && step.first == Copying::None && step.next == state_;
}

void Mirror::leaveDevice(Where where) {
    detail::finishUnderWay(storage_);
    const std::lock_guard lock(oneAfterTheOther());
    if (split_ != nullptr && !split_->read(nullptr, split_->all())) raiseLost(where);
    if (state_ == State::Device && !enter(stepOf(state_, Side::Home, Use::Reads), where))
        raiseLost(where);
    if (state_ == State::Both) state_ = State::Home;
    giveBack();
}

std::size_t Mirror::bytes() const {
    return static_cast<std::size_t>(storage_.slots) * storage_.elementSize;
}

bool Mirror::isOn(const Backend& device) const {
    return split_ != nullptr ? split_->isOn(device) : device_ == &device;
}

std::size_t Mirror::bytesOn(const Backend& device) const {
    if (split_ != nullptr) return split_->bytesOn(device);
    return device_ == &device ? bytes() : 0;
}

std::byte* Mirror::placeOn(const Backend& device) const {
    return split_ != nullptr ? split_->slotZero(device) : memory_;
}

RowCopies& Mirror::split() {
    detail::finishUnderWay(storage_);
    const std::lock_guard lock(oneAfterTheOther());
    if (split_ != nullptr) return *split_;
    noteMove();
    waitUntilCopied();
    showHome();
    split_ = std::make_unique<RowCopies>(storage_, copies_.rows);
    if (memory_ == nullptr) {
        onDevices().push_back(this);
    } else if (state_ == State::Device || state_ == State::Both) {
        split_->adopt(*device_, memory_, state_ == State::Both);
    } else {
        device_->release(memory_, bytes());
    }
    memory_ = nullptr;
    device_ = nullptr;
    state_ = State::Both;
    return *split_;
}

bool Mirror::rowsTo(const Backend* device, const RowStretch& rows, Where where) {
    const std::lock_guard lock(oneAfterTheOther());
    user_ = std::this_thread::get_id();
    lastUse_ = ++uses();
    if (split_->read(device, rows)) return true;
    if (device == nullptr) raiseLost(where);
    return false;
}

void Mirror::rowsWritten(const Backend* device, const RowStretch& rows) {
    const std::lock_guard lock(oneAfterTheOther());
    split_->write(device, rows);
}

void Mirror::rowsAreLeft(const RowStretch& readAtHome) {
    const std::lock_guard lock(oneAfterTheOther());
    split_->invalidate(readAtHome);
}

void Mirror::homeOfSplit(Use use, Where where) {
    if (!split_->read(nullptr, split_->all())) raiseLost(where);
    if (use == Use::Writes) {
        split_->write(nullptr, split_->all());
        split_->invalidate({});
    }
    copies_.lastHome = where;
}

bool Mirror::isReadyFor(Backend& device) {
    const std::lock_guard lock(oneAfterTheOther());
    if (storage_.staysHome) return false;
    if (split_ != nullptr) return split_->hold(device, split_->all());
    if (memory_ != nullptr) return device_ == &device;
    onDevices().push_back(this);
    memory_ = device.allocate(bytes(), 0);
    if (memory_ == nullptr) {
        onDevices().pop_back();
        return false;
    }
    device_ = &device;
    device.invalidated(memory_, bytes(), storage_.elementSize);
    return true;
}

void Mirror::note(const Taker& taker) {
    taker_ = taker;
    user_ = std::this_thread::get_id();
    lastUse_ = ++uses();
}

bool Mirror::takenAgain(std::uint64_t moves, const std::vector<Mirror*>& all,
                        const KernelText& kernel, Where nest) {
    if (isAnyUnderWay()) return false;
    const std::lock_guard lock(oneAfterTheOther());
    if (moves != Mirror::moves()) return false;
    for (std::size_t k = 0; k < all.size(); ++k) all[k]->note({&kernel, k, nest});
    return true;
}

std::byte* Mirror::takenTo(Backend& device, Use use, const Taker& taker) {
    finishUnderWay(Side::Device, use);
    const std::lock_guard lock(oneAfterTheOther());
    note(taker);
    if (split_ != nullptr) {
        if (!split_->read(&device, split_->all())) return nullptr;
        if (use == Use::Writes) {
            split_->write(&device, split_->all());
            split_->invalidate({});
        }
        return split_->slotZero(device);
    }
    return enter(stepOf(state_, Side::Device, use), {}) ? memory_ : nullptr;
}

std::byte* Mirror::overwrittenOn(Backend& device, const Taker& taker) {
    detail::finishUnderWay(storage_);
    {
        const std::lock_guard lock(oneAfterTheOther());
        if (state_ == State::Home) state_ = State::Both;  // valid as soon as it is written
    }
    return takenTo(device, Use::Writes, taker);
}

void Mirror::bringHome(Use use, Where where) {
    finishUnderWay(Side::Home, use);
    const std::lock_guard lock(oneAfterTheOther());
    if (split_ != nullptr) return homeOfSplit(use, where);
    if (use == Use::Writes) waitUntilCopied();
    if (!enter(stepOf(state_, Side::Home, use), where)) raiseLost(where);
}

void Mirror::settle() {
    const std::lock_guard lock(oneAfterTheOther());
    if (device_ != nullptr) device_->finish();
}

bool Mirror::boxesHome(const std::vector<Box>& read, Where where) {
    detail::finishUnderWay(storage_);
    const std::lock_guard lock(oneAfterTheOther());
    if (split_ != nullptr) {
        if (!split_->boxesHome(read)) raiseLost(where);
        return true;
    }
    waitUntilCopied();
    if (state_ == State::Fresh || state_ == State::Home) {
        if (!enter(stepOf(state_, Side::Home, Use::Writes), where)) raiseLost(where);
        return false;
    }
    if (state_ == State::Both) return true;
    showHome();  // for what is written there, too
    for (const Box& box : read) {
        if (!device_->copyOut(storage_.address, memory_, box)) raiseLost(where);
        copies_.boxBytes += box.width * box.rows;
    }
    return true;
}

void Mirror::boxesToDevice(const std::vector<Box>& written, Where where) {
    const std::lock_guard lock(oneAfterTheOther());
    if (split_ != nullptr && !split_->boxesToDevices(written)) raiseLost(where);
    if (split_ != nullptr) return;
    for (const Box& box : written) {
        if (!device_->copyIn(memory_, storage_.address, box)) raiseLost(where);
        copies_.boxBytes += box.width * box.rows;
    }
}

void Mirror::boxesLeaveHome(const std::vector<Box>& boxes) {
    const std::lock_guard lock(oneAfterTheOther());
    if (split_ != nullptr) return split_->boxesLeaveHome(boxes);
    if (state_ != State::Device) return;
    showHome();
    for (const Box& box : boxes)
        for (std::size_t row = 0; row < box.rows; ++row)
            device_->invalidated(storage_.address + box.first + row * box.pitch, box.width,
                                 storage_.elementSize);
    hideHome();
}

/// Once what is not valid there has been overwritten.
void Mirror::hideHome() {
    isHidden_ = device_->hidesHome() && storage_.allocation != nullptr;
    if (isHidden_)
        hidePages(storage_.allocation, storage_.allocation + storage_.allocationSize,
                  hiddenArray());
}

void Mirror::showHome() noexcept {
    if (isHidden_) showPages(storage_.allocation);
    isHidden_ = false;
}

/// "the array 'a' of heat.hpcpp:49, which are on check since the nest of heat.hpcpp:22,"
std::string Mirror::hiddenArray() const {
    const auto names =
        taker_.kernel != nullptr ? arrayNamesOf(*taker_.kernel) : std::vector<std::string>();
    const bool isNamed = taker_.number < names.size();
    const Where since = taker_.kernel != nullptr ? taker_.kernel->where : taker_.where;
    return compose("the array ", isNamed ? compose("'", names[taker_.number], "' ") : std::string(),
                   "of ", where_.file, ":", where_.line, ", which are on ", device_->name(),
                   " since ", since.file, ":", since.line, ",");
}

/// Pages that become visible to other processes move to another place (VisiblePages).
bool Mirror::staysInPlace() const {
    return storage_.allocation != nullptr &&
           (neighbours().empty() || arenaOf(storage_.allocation).visiblePages() == nullptr);
}

/// Pinning takes as long as a few copies save, so that it waits for the third one. Smaller copies
/// go through memory of the device's, and small arrays may share pages with others unless the
/// environment has named a device.
void Mirror::pinIfCopiedOften() {
    constexpr std::size_t least = std::size_t(64) << 10, leastOfOwnPages = std::size_t(1) << 20;
    constexpr Index few = 2;
    if (wasPinTried_ || bytes() <= (devicesAreWanted() ? least : leastOfOwnPages) ||
        copies_.toDevice + copies_.toHome <= few)
        return;
    wasPinTried_ = true;
    if (staysInPlace() && device_->pinHome(storage_.address, bytes())) pinnedBy_ = device_;
    copies_.isPinned = pinnedBy_ != nullptr;
}

bool Mirror::copy(Copying what) {
    switch (what) {
    case Copying::Clear:
        return device_->clear(memory_, bytes());
    case Copying::ToDevice:
        return copyToDevice();
    case Copying::ToHome:
        ++copies_.toHome;
        showHome();
        pinIfCopiedOften();
        return device_->copyOut(storage_.address, memory_, bytes());
    default:
        return true;
    }
}

bool Mirror::copyToDevice() {
    ++copies_.toDevice;
    pinIfCopiedOften();
    if (pinnedBy_ != device_) return device_->copyIn(memory_, storage_.address, bytes());
    isBeingCopied_ = true;
    return device_->startCopyIn(memory_, storage_.address, bytes());
}

/// Before somebody writes at home.
void Mirror::waitUntilCopied() {
    if (std::exchange(isBeingCopied_, false)) device_->finish();
}

bool Mirror::enter(const Step& step, Where where) {
    if (!copy(step.first)) return false;
    if (step.first == Copying::ToHome) copies_.lastHome = where;
    const State before = std::exchange(state_, step.next);
    if (before != state_) noteMove();
    if (before == state_ || memory_ == nullptr) return true;
    if (state_ == State::Device) {
        device_->invalidated(storage_.address, bytes(), storage_.elementSize);
        hideHome();
    } else if (state_ == State::Home) {
        device_->invalidated(memory_, bytes(), storage_.elementSize);
    }
    return true;
}

void Mirror::raiseLost(Where where) const {
    if (device_ == nullptr)
        throw DeviceError(compose("rows of the array of ", where_.file, ":", where_.line,
                                  " cannot be copied from the devices that have them"),
                          where);
    const std::string launched = device_->lastLaunched();
    throw DeviceError(
        compose("elements of the array of ", where_.file, ":", where_.line,
                " cannot be copied from ", device_->name(),
                launched.empty() ? "" : "; the last nest that ran there is ", launched),
        where);
}

void bringHome(Mirror& mirror, Use use, Where where) { mirror.bringHome(use, where); }
bool boxesHome(Mirror& mirror, const std::vector<Box>& read, Where where) {
    return mirror.boxesHome(read, where);
}
void boxesToDevice(Mirror& mirror, const std::vector<Box>& written, Where where) {
    mirror.boxesToDevice(written, where);
}
void boxesLeaveHome(Mirror& mirror, const std::vector<Box>& boxes) { mirror.boxesLeaveHome(boxes); }

}  // namespace hpspmd::detail
