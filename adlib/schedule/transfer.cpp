#include "schedule/transfer.hpp"

#include <utility>

#include "schedule/pack.hpp"

namespace hpspmd::detail {
namespace {

/// Buffers up to this size stay allocated between executions.
constexpr std::size_t keptBytes = std::size_t{4} << 20;
constexpr std::size_t cacheLine = 64;

}  // namespace

Transfer::Transfer(plan::Plan plan, std::size_t elementSize)
    : plan_(std::move(plan)), elementSize_(elementSize) {
    receives_ = parcels(plan_.receives);
    sends_ = parcels(plan_.sends);
    if (bufferBytes_ <= keptBytes) buffer_.reset(new char[bufferBytes_]);
}

std::vector<Transfer::Parcel> Transfer::parcels(const std::vector<plan::Message>& messages) {
    std::vector<Parcel> result;
    for (const plan::Message& message : messages) {
        const std::size_t bytes = message.count() * elementSize_;
        const transport::Peer peer = message.peer;
        if (message.regions.size() == 1 && isContiguous(message.regions[0])) {
            const Index offset = message.regions[0].offset[0];
            result.push_back(
                {this, &message, peer, bytes, offset * static_cast<Index>(elementSize_), false});
        } else {
            result.push_back({this, &message, peer, bytes, static_cast<Index>(bufferBytes_), true});
            bufferBytes_ += (bytes + cacheLine - 1) / cacheLine * cacheLine;
        }
    }
    return result;
}

void Transfer::start(const Entered& entered, void* to, const void* from) {
    messages_.begin(entered);
    to_ = static_cast<char*>(to);
    busy_ = true;
    if (!buffer_) buffer_.reset(new char[bufferBytes_]);
    for (const Parcel& parcel : receives_)
        if (parcel.packed)
            messages_.receive(buffer_.get() + parcel.place, parcel.bytes, parcel.peer,
                              {unpackParcel, &parcel});
        else
            messages_.receive(to_ + parcel.place, parcel.bytes, parcel.peer);
    for (const Parcel& parcel : sends_) {
        if (!parcel.packed) {
            messages_.send(static_cast<const char*>(from) + parcel.place, parcel.bytes,
                           parcel.peer);
            continue;
        }
        char* const room = messages_.room(parcel.bytes, parcel.peer);
        char* const begin = room != nullptr ? room : buffer_.get() + parcel.place;
        char* out = begin;
        for (const plan::Region& region : parcel.message->regions)
            out = pack(out, from, region, elementSize_);
        messages_.send(begin, parcel.bytes, parcel.peer);
    }
    for (const plan::Copy& copy : plan_.copies) copyProduct(to, from, copy, elementSize_);
}

void Transfer::finish() {
    busy_ = false;
    messages_.wait();
    if (bufferBytes_ > keptBytes) buffer_.reset();
}

void Transfer::unpackParcel(const void* parcel, const char* data) {
    const Parcel& from = *static_cast<const Parcel*>(parcel);
    for (const plan::Region& region : from.message->regions)
        data = unpack(from.transfer->to_, data, region, from.transfer->elementSize_);
}

}  // namespace hpspmd::detail
