// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/device_transfer.hpp"

#include <hpspmd/device/error.hpp>

#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"
#include "device/parts.hpp"
#include "device/report.hpp"
#include "device/room.hpp"
#include "plan/overlap.hpp"
#include "schedule/transfer.hpp"

#include <algorithm>
#include <utility>

namespace hpspmd::detail {
namespace {

using plan::End;
using plan::From;
using plan::Message;
using plan::To;

/// The same elements, which on one side lie one after the other from `first` on.
plan::Copy packed(plan::Copy copy, End place, Index first) {
    Index stride = copy.count();
    copy.offset[place] = first;
    for (plan::Runs<2>& runs : copy.dims) {
        Index count = 0, position = 0;
        for (const plan::Run<2>& run : runs) count += run.count;
        if (count > 0) stride /= count;
        for (plan::Run<2>& run : runs) {
            run.base[place] = position * stride;
            run.step[place] = stride;
            position += run.count;
        }
    }
    return copy;
}

/// A region of an array, beside the same elements one after the other.
plan::Copy besidePacked(const plan::Region& region, End array, Index first) {
    plan::Copy copy;
    copy.offset[array] = region.offset[0];
    for (const plan::Runs<1>& runs : region.dims) {
        plan::Runs<2>& list = copy.dims.emplace_back();
        for (const plan::Run<1>& run : runs) {
            plan::Run<2> both{run.count, {}, {}};
            both.base[array] = run.base[0];
            both.step[array] = run.step[0];
            list.push_back(both);
        }
    }
    return packed(std::move(copy), array == To ? From : To, first);
}

/// Between the array and a buffer of all messages.
std::vector<plan::Copy> besideBuffer(const std::vector<Message>& messages, End array) {
    std::vector<plan::Copy> copies;
    Index first = 0;
    for (const Message& message : messages)
        for (const plan::Region& region : message.regions) {
            copies.push_back(besidePacked(region, array, first));
            first += region.count();
        }
    return copies;
}

/// The same messages from a buffer to a buffer, in which they lie one after the other.
std::vector<Message> betweenBuffers(std::vector<Message> messages) {
    Index first = 0;
    for (Message& message : messages) {
        const Index count = message.count();
        Index place = first;
        for (plan::Copy& copy : message.copies) {
            const Index elements = copy.count();
            copy = simplified(packed(std::move(copy), To, place));
            place += elements;
        }
        message.regions = {{{first}, {{{count, {0}, {1}}}}}};
        if (message.isReadable() && message.copies.empty())  // it is sent
            message.source = {first, first + count - 1};
        first += count;
    }
    return messages;
}

/// The device that runs it; null if the host does.
Backend* deviceFor(const Operand& to, const Operand& from, Where where) {
    const Mirror* const source = from.storage != nullptr ? from.storage->mirror : nullptr;
    const Mirror* const destination = mirrorOf(const_cast<Storage*>(to.storage), where);
    if (source == nullptr || destination == nullptr) return nullptr;
    if (source->isSplit() || destination->isSplit()) return nullptr;
    if (from.storage->staysHome || to.storage->staysHome) return nullptr;
    const State at = source->state();
    if (at != State::Device && (at != State::Both || destination->state() != State::Device))
        return nullptr;
    Backend* const device = source->device();
    const bool isElsewhere = destination->device() != nullptr && destination->device() != device;
    return isElsewhere ? nullptr : device;
}

std::byte* placeOf(const Operand& array, std::byte* slotZero) {
    return slotZero + array.offset * static_cast<Index>(array.elementSize);
}

}  // namespace

DeviceTransfer::DeviceTransfer(const plan::Plan& plan, std::size_t elementSize)
    : packing_(besideBuffer(plan.sends, From), elementSize),
      copying_(plan.copies, elementSize),
      unpacking_(besideBuffer(plan.receives, To), elementSize) {
    for (const plan::Plan& each : plan.relays)
        relays_.push_back(std::make_unique<DeviceTransfer>(each, elementSize));
    plan::Plan messages{betweenBuffers(plan.sends), betweenBuffers(plan.receives), {}};
    messages.origin = plan.origin;
    messages_ = std::make_unique<Transfer>(std::move(messages), elementSize);
    out_.resize(static_cast<std::size_t>(packing_.count()) * elementSize);
    in_.resize(static_cast<std::size_t>(unpacking_.count()) * elementSize);
}

DeviceTransfer::~DeviceTransfer() = default;

bool DeviceTransfer::prepare(Backend& device) {
    return packing_.prepare(device) && copying_.prepare(device) && unpacking_.prepare(device) &&
           std::all_of(relays_.begin(), relays_.end(),
                       [&](const auto& each) { return each->prepare(device); });
}

/// True if it writes all slots of the destination. Then these need not be copied there before.
bool DeviceTransfer::covers(const Operand& to) const {
    return relays_.empty() && copying_.count() + unpacking_.count() == to.storage->slots;
}

/// What is sent comes home.
bool DeviceTransfer::send(const Places& places) {
    if (out_.empty()) return true;
    const DeviceBuffer buffer(*places.device, out_.size());
    return buffer.isThere() && packing_.run(buffer.memory(), places.from) &&
           places.device->copyOut(out_.data(), buffer.memory(), out_.size());
}

/// What stays, and what has come.
bool DeviceTransfer::receive(const Places& places) const {
    if (!copying_.run(places.to, places.from)) return false;
    if (in_.empty()) return true;
    const DeviceBuffer buffer(*places.device, in_.size());
    return buffer.isThere() && places.device->copyIn(buffer.memory(), in_.data(), in_.size()) &&
           unpacking_.run(places.to, buffer.memory());
}

bool DeviceTransfer::relay(const Entered& entered, const Places& array) {
    return std::all_of(relays_.begin(), relays_.end(), [&](const auto& each) {
        if (!each->send(array)) return false;
        each->messages_->execute(entered, each->in_.data(), each->out_.data());
        return each->receive(array) && each->relay(entered, array);
    });
}

bool DeviceTransfer::execute(const Entered& entered, const Call& call, const Operand& to,
                             const Operand& from, const Staging* staging) {
    Backend* const device = deviceFor(to, from, call.where);
    if (device == nullptr) return false;
    Mirror &destination = *to.storage->mirror, &source = *from.storage->mirror;
    if (!makeRoom(*device, NestArrays(nullptr, {&destination, &source}), call.where).empty())
        return false;
    if (source.device() != device || source.state() == State::Home) return false;
    const DeviceBuffer stage(*device, staging != nullptr ? staging->bytes : 0);
    const bool isPrepared = prepare(*device) && stage.isThere() &&
                            (staging == nullptr || staging->stores->prepare(*device));
    if (!isPrepared) return false;
    const Taker taker{nullptr, 0, call.where};
    std::byte* const slots = source.takenTo(*device, Use::Reads, taker);
    if (slots == nullptr || !send({device, nullptr, placeOf(from, slots)})) return false;
    const bool isOverwritten = staging == nullptr && covers(to);
    std::byte* const written = isOverwritten ? destination.overwrittenOn(*device, taker)
                                             : destination.takenTo(*device, Use::Writes, taker);
    if (written == nullptr) return false;
    std::byte* const elements = placeOf(to, written);
    const Places places{device, staging != nullptr ? stage.memory() : elements,
                        placeOf(from, slots)};
    messages_->execute(entered, in_.data(), out_.data());
    if (!receive(places) || !relay(entered, {device, places.to, places.to}) ||
        (staging != nullptr && !staging->stores->run(elements, stage.memory())))
        throw DeviceError(compose(call.name, ": elements cannot be moved on ", device->name()),
                          call.where);
    source.noteMessages(out_.size());
    destination.noteMessages(in_.size());
    noteLaunch(call.where, device->name(), call.name);
    return true;
}

}  // namespace hpspmd::detail
