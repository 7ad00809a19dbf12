// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/joint.hpp"

#include <map>

#include "schedule/pack.hpp"

namespace hpspmd::detail {

JointTransfer::JointTransfer(std::vector<Part> parts) : parts_(std::move(parts)) {
    receives_ = parcels(&plan::Plan::receives);
    sends_ = parcels(&plan::Plan::sends);
    std::vector<std::pair<plan::Origin, std::size_t>> origins;
    for (const Part& part : parts_) origins.emplace_back(part.plan.origin, part.elementSize);
    if (observer != nullptr) origin_ = jointOrigin(origins);
    if (!receives_.empty() || !sends_.empty()) {
        const Parcel& last = sends_.empty() ? receives_.back() : sends_.back();
        buffer_.resize(last.place + last.bytes);
    }
}

JointTransfer::~JointTransfer() {
    transport::completeAtEnd([this] { finish(); });
}

std::vector<JointTransfer::Parcel> JointTransfer::parcels(
    std::vector<plan::Message> plan::Plan::*messages) {
    std::map<int, Parcel> byPeer;
    for (std::size_t k = 0; k < parts_.size(); ++k)
        for (const plan::Message& message : parts_[k].plan.*messages) {
            Parcel& parcel =
                byPeer.try_emplace(message.peer, Parcel{message.peer, {}, 0, 0}).first->second;
            parcel.messages.push_back({k, &message});
            parcel.bytes += static_cast<std::size_t>(message.count()) * parts_[k].elementSize;
        }
    std::vector<Parcel> result;
    std::size_t place = receives_.empty() ? 0 : receives_.back().place + receives_.back().bytes;
    for (auto& [peer, parcel] : byPeer) {
        parcel.place = place;
        place += parcel.bytes;
        result.push_back(std::move(parcel));
    }
    return result;
}

void JointTransfer::start(const Entered& entered, std::vector<void*> arrays) {
    finish();
    messages_.begin(entered);
    arrays_ = std::move(arrays);
    busy_ = true;
    transport::observe({"joint plan", origin_.text, nullptr, 0, 0});
    for (const Parcel& parcel : receives_)
        messages_.receive(buffer_.data() + parcel.place, parcel.bytes, parcel.peer);
    for (const Parcel& parcel : sends_) {
        char* out = buffer_.data() + parcel.place;
        for (const auto& [k, message] : parcel.messages)
            for (const plan::Region& region : message->regions)
                out = pack(out, arrays_[k], region, parts_[k].elementSize);
        messages_.send(buffer_.data() + parcel.place, parcel.bytes, parcel.peer);
    }
    for (std::size_t k = 0; k < parts_.size(); ++k)
        for (const plan::Copy& copy : parts_[k].plan.copies)
            copyProduct(arrays_[k], arrays_[k], copy, parts_[k].elementSize);
}

void JointTransfer::startWithin(const Entered& entered, const Arrays& arrays) {
    std::vector<void*> all;
    for (std::size_t k = 0; k < parts_.size(); ++k) all.push_back(arrays(k).data);
    start(entered, std::move(all));
}

std::unique_ptr<Exchange> JointTransfer::madeWithout(const std::vector<int>& processes) const {
    std::vector<Part> rest;
    for (const Part& part : parts_)
        rest.push_back({plan::without(processes, part.plan), part.elementSize});
    return std::make_unique<JointTransfer>(std::move(rest));
}

void JointTransfer::finish() {
    if (!busy_) return;
    busy_ = false;
    messages_.wait();
    for (const Parcel& parcel : receives_) {
        const char* in = buffer_.data() + parcel.place;
        for (const auto& [k, message] : parcel.messages)
            for (const plan::Region& region : message->regions)
                in = unpack(arrays_[k], in, region, parts_[k].elementSize);
    }
    release();
}

}  // namespace hpspmd::detail
