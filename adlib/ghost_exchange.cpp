// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ghost_exchange.hpp"

#include <hpspmd/device/error.hpp>

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"

#include <algorithm>
#include <utility>

namespace hpspmd::detail {
namespace {

Backend* deviceOf(const StorageHandle& storage) { return storage.get()->mirror->device(); }

}  // namespace

GhostExchange::GhostExchange(Exchange& exchange, const Entered& entered,
                             const Exchange::Arrays& arrays)
    : entered_(entered),
      direct_(entered, exchange, arrays),
      rest_(exchange.without(direct_.peers())),
      boxes_(entered.where),
      parts_(exchange.parts()) {
    for (std::size_t k = 0; k < parts_; ++k)
        if (const Storage* const storage = arrays(k).storage; storage != nullptr && storage->mirror)
            mirrored_.push_back(StorageHandle::of(storage));
}

GhostExchange::~GhostExchange() {
    try {
        finish();
    } catch (...) {
        // The error that has ended the nest is on its way.
    }
}

bool GhostExchange::mayTravel() const {
    return std::none_of(mirrored_.begin(), mirrored_.end(),
                        [](const auto& each) { return each.get()->mirror->isSplit(); });
}

bool GhostExchange::isCrowded() const {
    return std::any_of(mirrored_.begin(), mirrored_.end(), [](const auto& each) {
        return deviceOf(each) != nullptr && deviceOf(each)->isCrowded();
    });
}

bool GhostExchange::isOnDevice() const {
    return std::any_of(mirrored_.begin(), mirrored_.end(), [](const auto& each) {
        const State state = each.get()->mirror->state();
        return state == State::Device || state == State::Both;
    });
}

void GhostExchange::settle() const {
    for (const StorageHandle& each : mirrored_) each.get()->mirror->settle();
}

void GhostExchange::start(const Exchange::Arrays& arrays, bool travels) {
    travels_ = travels;
    if (observer != nullptr && !direct_.peers().empty()) Telling::all();
    if (travels) openAside();
    {
        const Aside aside;
        direct_.send();
    }
    for (std::size_t k = 0; k < parts_; ++k) boxes_.add(arrays(k), rest_.plan(k));
    rest_.startWithin(entered_, arrays);
    isUnderWay_ = true;
    if (!travels) return;
    boxes_.giveBackCopied();
    keep(arrays);
}

/// Until it is complete. An array that has no mirror may get one meanwhile.
void GhostExchange::keep(const Exchange::Arrays& arrays) {
    for (std::size_t k = 0; k < parts_; ++k) {
        const Operand& array = arrays(k);
        rest_.keep(array);
        if (array.storage != nullptr && (array.storage->mirror != nullptr || devicesAreNamedHere()))
            noteUnderWay(*array.storage->whole, *this);
    }
}

void GhostExchange::finish() {
    if (!std::exchange(isUnderWay_, false)) return;
    const Call call{"finish of writeHalo", entered_.where};
    if (travels_) forgetUnderWay(*this);
    {
        const Aside aside;
        direct_.receive();
    }
    if (travels_) flush();
    rest_.finish();
    {
        const Aside aside;
        boxes_.giveBack();
    }
    if (travels_) joinAside();
}

/// What nests have asked for goes on while the host waits.
void GhostExchange::flush() const {
    for (const StorageHandle& each : mirrored_)
        if (deviceOf(each) != nullptr) deviceOf(each)->flush();
}

void GhostExchange::openAside() {
    for (const StorageHandle& each : mirrored_)
        if (deviceOf(each) != nullptr) deviceOf(each)->openAside();
}

void GhostExchange::joinAside() const {
    for (const StorageHandle& each : mirrored_)
        if (Backend* const device = deviceOf(each); device != nullptr && !device->joinAside())
            throw DeviceError(compose("ghost cells cannot be exchanged by ", device->name()),
                              entered_.where);
}

}  // namespace hpspmd::detail
