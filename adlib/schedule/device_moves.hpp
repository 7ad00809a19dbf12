// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// DeviceMoves, copies of elements on a device, known before; DeviceBuffer, memory there.

#include "device/plane.hpp"
#include "plan/plan.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace hpspmd::detail {

/// Memory of a device that is given back at the end.
class DeviceBuffer {
public:
    DeviceBuffer(Backend& device, std::size_t bytes);
    ~DeviceBuffer();
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    bool isThere() const { return memory_ != nullptr || bytes_ == 0; }
    std::byte* memory() const { return memory_; }
    Backend& device() const { return device_; }

private:
    Backend& device_;
    std::size_t bytes_;
    std::byte* memory_;
};

/// How elements that lie in a buffer on a device are stored into an array there.
class DeviceStores {
public:
    virtual ~DeviceStores() = default;
    /// What it takes is there. False if the device has no room, or no such kernel.
    virtual bool prepare(Backend& device) = 0;
    /// In the order of the queue of the device that prepare() had last; false if it has not
    /// started all.
    virtual bool run(std::byte* to, const std::byte* from) const = 0;
};

/// Copies that are executed together, in any order: few planes, or large ones, by a kernel for
/// each; small ones, as single elements anywhere, by one kernel and a list of places, which stays
/// on the device.
///
///     rows 0 to 5 of an array into a buffer        one plane
///     elements 7, 3, 100, .. that a gather wants   a list
class DeviceMoves final : public DeviceStores {
public:
    /// No two elements go to one place.
    DeviceMoves(std::vector<plan::Copy> copies, std::size_t elementSize);

    bool isEmpty() const { return count_ == 0; }
    /// Elements.
    Index count() const { return count_; }
    bool prepare(Backend& device) override;
    bool run(std::byte* to, const std::byte* from) const override;

private:
    bool isListed() const {
        return planes_ > mostPlanes && count_ < smallPlane * static_cast<Index>(planes_);
    }
    std::vector<Index> places() const;

    /// A list takes 16 bytes for each element; a kernel takes time to be started.
    static constexpr std::size_t mostPlanes = 64;
    static constexpr Index smallPlane = 4096;

    std::vector<plan::Copy> copies_;
    std::size_t size_;
    std::size_t planes_ = 0;
    Index count_ = 0;
    Backend* device_ = nullptr;
    std::unique_ptr<DeviceBuffer> list_;
};

}  // namespace hpspmd::detail
