// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/transfer.hpp"

#include <algorithm>
#include <utility>

#include "schedule/pack.hpp"

namespace hpspmd::detail {
namespace {

/// Buffers up to this size stay allocated between executions.
constexpr std::size_t keptBytes = std::size_t{4} << 20;
constexpr std::size_t cacheLine = 64;
Index partBytes = Transfer::usualPartBytes;

}  // namespace

Transfer::Transfer(plan::Plan plan, std::size_t elementSize)
    : plan_(std::move(plan)), elementSize_(elementSize) {
    receives_ = parcels(plan_.receives);
    sends_ = parcels(plan_.sends);
    for (const plan::Plan& relay : plan_.relays)
        relays_.push_back(std::make_unique<Transfer>(relay, elementSize_));
    if (bufferBytes_ <= keptBytes) buffer_.reset(new char[bufferBytes_]);
}

Transfer::~Transfer() {
    transport::completeAtEnd([this] { finish(); });
}

DeviceTransfer& Transfer::onDevice() {
    if (!onDevice_) onDevice_ = std::make_unique<DeviceTransfer>(plan_, elementSize_);
    return *onDevice_;
}

void Transfer::setPartBytes(Index bytes) { partBytes = bytes; }

/// Elements of a part: whole rows, and best as many as a cache line has elements, because rows of
/// the destination may be columns of the source.
Index Transfer::partCount(const plan::Message& message) const {
    constexpr Index together = 8;
    const Index most = std::max<Index>(1, partBytes / static_cast<Index>(elementSize_));
    if (message.row == 0 || together * message.row > 4 * most) return most;
    return std::max<Index>(1, most / (together * message.row)) * together * message.row;
}

std::vector<Transfer::Parcel> Transfer::parcels(const std::vector<plan::Message>& messages) {
    std::vector<Parcel> result;
    for (const plan::Message& message : messages) {
        const transport::Peer peer = message.peer;
        const Index all = message.count();
        if (peer.link != nullptr && message.isReadable()) {
            result.push_back(parcel(peer, message.regions, all));
            result.back().readable = &message;
            continue;
        }
        const Index most = partCount(message);
        if (peer.link == nullptr || all <= most) {
            result.push_back(parcel(peer, message.regions, all));
            continue;
        }
        for (Index first = 0; first < all; first += most) {
            const Index count = std::min(most, all - first);
            result.push_back(parcel(peer, message.part(first, count), count));
            result.back().told = {first == 0, static_cast<std::size_t>(all) * elementSize_};
        }
    }
    return result;
}

Transfer::Parcel Transfer::parcel(const transport::Peer& peer, std::vector<plan::Region> regions,
                                  Index count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * elementSize_;
    if (regions.size() == 1 && isContiguous(regions[0])) {
        const Index offset = regions[0].offset[0] * static_cast<Index>(elementSize_);
        return {this, std::move(regions), peer, bytes, offset, false};
    }
    const auto place = static_cast<Index>(bufferBytes_);
    if (peer.link == nullptr) bufferBytes_ += (bytes + cacheLine - 1) / cacheLine * cacheLine;
    return {this, std::move(regions), peer, bytes, place, true};
}

void Transfer::start(const Entered& entered, void* to, const void* from,
                     const Combining& combining) {
    finish();
    messages_.begin(entered);
    entered_ = entered;
    to_ = static_cast<char*>(to);
    from_ = static_cast<const char*>(from);
    combining_ = combining;
    busy_ = true;
    if (!buffer_) buffer_.reset(new char[bufferBytes_]);
    transport::observe({"plan", plan_.origin.text, nullptr, elementSize_, 0});
    show();
    for (const Parcel& parcel : receives_) receive(parcel);
    for (const Parcel& parcel : sends_) send(parcel);
    for (const plan::Copy& copy : plan_.copies)
        copyProduct(to, from, copy, elementSize_, combining);
}

/// Before anything is under way into the arrays.
void Transfer::show() const {
    for (const Parcel& parcel : sends_)
        if (parcel.readable != nullptr) transport::Messages::show(shown(parcel));
}

transport::Shown Transfer::shown(const Parcel& parcel) const {
    const auto size = static_cast<Index>(elementSize_);
    const plan::Stretch& source = parcel.readable->source;
    return {from_ + source.first * size, static_cast<std::size_t>(source.count() * size),
            !parcel.packed};
}

void Transfer::receive(const Parcel& parcel) {
    transport::Arrival arrival{unpackParcel, &parcel,
                               parcel.readable != nullptr ? readParcel : nullptr};
    if (parcel.packed)
        messages_.receive(room(parcel), parcel.bytes, parcel.peer, arrival);
    else if (combining_)
        messages_.receive(extraRoom(parcel), parcel.bytes, parcel.peer, arrival);
    else {
        arrival.run = nullptr;
        messages_.receive(to_ + parcel.place, parcel.bytes, parcel.peer, arrival);
    }
}

void Transfer::send(const Parcel& parcel) {
    const transport::Departure departure{packParcel, &parcel};
    if (parcel.readable != nullptr)
        messages_.send(departure, shown(parcel), parcel.bytes, parcel.peer);
    else if (parcel.packed)
        messages_.send(departure, room(parcel), parcel.bytes, parcel.peer, parcel.told);
    else
        messages_.send(from_ + parcel.place, parcel.bytes, parcel.peer, parcel.told);
}

char* Transfer::extraRoom(const Parcel& parcel) {
    if (parcel.peer.link != nullptr) return nullptr;
    return extra_.emplace_back(new char[parcel.bytes]).get();
}

void Transfer::finish() {
    if (!busy_) return;
    busy_ = false;
    messages_.wait();
    extra_.clear();
    if (bufferBytes_ > keptBytes) buffer_.reset();
    for (const auto& relay : relays_) relay->execute(entered_, to_, to_);
    release();
}

void Transfer::packParcel(const void* parcel, char* out) {
    const Parcel& one = *static_cast<const Parcel*>(parcel);
    for (const plan::Region& region : one.regions)
        out = pack(out, one.transfer->from_, region, one.transfer->elementSize_);
}

void Transfer::unpackParcel(const void* parcel, const char* data) {
    const Parcel& one = *static_cast<const Parcel*>(parcel);
    for (const plan::Region& region : one.regions)
        data = unpack(one.transfer->to_, data, region, one.transfer->elementSize_,
                      one.transfer->combining_);
}

void Transfer::readParcel(const void* parcel, const char* stretch) {
    const Parcel& one = *static_cast<const Parcel*>(parcel);
    const Transfer& transfer = *one.transfer;
    const auto size = static_cast<Index>(transfer.elementSize_);
    for (const plan::Copy& copy : one.readable->copies)
        copyProduct(transfer.to_, stretch - one.readable->source.first * size, copy,
                    transfer.elementSize_, transfer.combining_);
}

}  // namespace hpspmd::detail
