// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Plans between arrays that are on a device.

#include <adlib/operand.hpp>
#include <hpspmd/collective.hpp>

#include "plan/plan.hpp"
#include "schedule/device_moves.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace hpspmd::detail {

class Backend;
class Transfer;

/// The executor of a plan whose arrays are on a device: kernels of the library pack what is sent
/// there, copy what stays, and unpack what comes. Of the elements only messages come home. The
/// other processes do the same, or have their arrays at home: messages are the same.
class DeviceTransfer {
public:
    DeviceTransfer(const plan::Plan& plan, std::size_t elementSize);
    ~DeviceTransfer();

    /// The destination of the plan is memory of so many bytes on the device, from where elements
    /// are stored into the array.
    struct Staging {
        std::size_t bytes;
        DeviceStores* stores;
    };

    /// Runs it if the source, or the destination, is on a device only, and both can be there. False
    /// if not: nothing has happened then, and elements are where they were. DeviceError if elements
    /// are lost.
    bool execute(const Entered& entered, const Call& call, const Operand& to, const Operand& from,
                 const Staging* staging = nullptr);

private:
    /// Where the elements of two arrays, or of an array and a buffer, lie on the device.
    struct Places {
        Backend* device;
        std::byte *to, *from;
    };

    bool prepare(Backend& device);
    bool covers(const Operand& to) const;
    bool send(const Places& places);
    bool receive(const Places& places) const;
    bool relay(const Entered& entered, const Places& array);

    DeviceMoves packing_, copying_, unpacking_;
    std::unique_ptr<Transfer> messages_;  // between the two buffers
    std::vector<std::byte> out_, in_;     // at home: what is sent, what has come
    std::vector<std::unique_ptr<DeviceTransfer>> relays_;
};

}  // namespace hpspmd::detail
