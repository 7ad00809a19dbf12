// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/combining.hpp>

#include "plan/plan.hpp"
#include "schedule/device_transfer.hpp"
#include "schedule/exchange.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail {

/// A plan made ready to run for one element size: the executor of every schedule that moves
/// elements. One message per neighbour, by shared memory in parts that stay in the caches; a
/// stretch of memory travels from and to its place, everything else is packed: where the neighbour
/// can read it, or into buffers that live as long as the schedule (large ones: as one execution).
/// start() and finish() may have other work between them, which leaves alone what is sent; one
/// execution at a time: start() finishes what is under way.
class Transfer final : public Exchange {
public:
    Transfer(plan::Plan plan, std::size_t elementSize);
    /// Completes what is under way: so do the other processes.
    ~Transfer() override;

    /// `to` and `from` are the data() of arrays with the descriptors of the plan.
    void execute(const Entered& entered, void* to, const void* from,
                 const Combining& combining = {}) {
        start(entered, to, from, combining);
        finish();
    }
    void start(const Entered& entered, void* to, const void* from, const Combining& combining = {});
    void poll() override { messages_.poll(); }
    void finish() override;
    bool hasMessages() const override { return !receives_.empty() || !sends_.empty(); }
    bool isBusy() const { return busy_; }

    std::size_t parts() const override { return 1; }
    const plan::Plan& plan(std::size_t = 0) const override { return plan_; }
    void startWithin(const Entered& entered, const Arrays& arrays) override {
        void* const elements = arrays(0).data;
        start(entered, elements, elements);
    }
    /// The same plan for arrays on a device.
    DeviceTransfer& onDevice();
    /// One more with the same plan, to be under way at the same time.
    std::unique_ptr<Transfer> another() const {
        return std::make_unique<Transfer>(plan_, elementSize_);
    }

    /// Of a message by shared memory: while one part is unpacked, the next ones are packed.
    static constexpr Index usualPartBytes = 128 << 10;
    /// From now on transfers are made with parts of so many bytes; for tests, on all processes
    /// alike.
    static void setPartBytes(Index bytes);

protected:
    std::unique_ptr<Exchange> madeWithout(const std::vector<int>& processes) const override {
        return std::make_unique<Transfer>(plan::without(processes, plan_), elementSize_);
    }

private:
    /// A message or a part of it: `bytes` at a place in the array, or packed, or read by the
    /// receiver where it lies.
    struct Parcel {
        const Transfer* transfer;
        std::vector<plan::Region> regions;
        transport::Peer peer;
        std::size_t bytes;
        std::ptrdiff_t place;  // bytes from the array's data(), or from the buffer's start
        bool packed;
        const plan::Message* readable = nullptr;
        transport::Told told = {};
    };

    static void packParcel(const void* parcel, char* out);
    static void unpackParcel(const void* parcel, const char* data);
    static void readParcel(const void* parcel, const char* stretch);
    transport::Shown shown(const Parcel& parcel) const;
    void show() const;
    void receive(const Parcel& parcel);
    void send(const Parcel& parcel);
    std::vector<Parcel> parcels(const std::vector<plan::Message>& messages);
    Index partCount(const plan::Message& message) const;
    Parcel parcel(const transport::Peer& peer, std::vector<plan::Region> regions, Index count);
    char* room(const Parcel& parcel) const {
        return parcel.peer.link != nullptr ? nullptr : buffer_.get() + parcel.place;
    }

    /// For a message that would otherwise come to its place.
    char* extraRoom(const Parcel& parcel);

    plan::Plan plan_;
    std::unique_ptr<DeviceTransfer> onDevice_;
    std::size_t elementSize_;
    std::size_t bufferBytes_ = 0;
    std::vector<Parcel> receives_, sends_;
    std::vector<std::unique_ptr<Transfer>> relays_;
    std::unique_ptr<char[]> buffer_;
    std::vector<std::unique_ptr<char[]>> extra_;
    transport::Messages messages_;
    Entered entered_;
    char* to_ = nullptr;
    const char* from_ = nullptr;
    Combining combining_;
    bool busy_ = false;
};

}  // namespace hpspmd::detail
