// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// DeviceSharing, what a device must be able to do so that processes of one node put elements into
/// each other's memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hpspmd::detail {

/// A name of memory by which another process can open it.
using SharedName = std::array<char, 64>;
/// Of a device, the same in all processes.
using DeviceId = std::array<char, 16>;

/// All that is asked for is done in the order of the device's queue. False: the device does not.
class DeviceSharing {
public:
    virtual ~DeviceSharing() = default;

    virtual DeviceId id() const = 0;
    /// Which call has failed last.
    virtual std::string problem() const = 0;
    /// True if other processes of the node use this device as well. Then a queue that waits keeps
    /// the device from them.
    virtual bool isCrowded() const = 0;
    /// One of them has turned out to.
    virtual void noteCrowd() {}

    virtual bool share(std::byte* memory, SharedName& name) = 0;
    /// The memory of another process; null if this device does not reach it.
    virtual std::byte* open(const SharedName& name) = 0;

    /// Whole pages at home, which several processes see: where flags in them are for the device;
    /// null if it cannot reach them.
    virtual std::byte* reach(void* pages, std::size_t bytes) = 0;
    /// When all before is done, what it has written can be seen, and then the flag.
    virtual bool signal(std::byte* flag, std::uint32_t number) = 0;
    /// What follows waits until the flag is `number` or has passed it.
    virtual bool await(std::byte* flag, std::uint32_t number) = 0;
};

}  // namespace hpspmd::detail
