// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// DeviceCombines, elements of an array on a device, combined with others in an order known before.

#include <adlib/combining.hpp>

#include "plan/indirect.hpp"
#include "schedule/device_moves.hpp"

namespace hpspmd::detail {

/// A lane takes an element, and all that goes to it, one after the other as the host does: the bits
/// are the same. The list of places stays on the device.
class DeviceCombines final : public DeviceStores {
public:
    DeviceCombines(const std::vector<plan::ScatterPlan::Store>& stores, std::size_t elementSize);

    /// From now on, for a call there.
    void combineBy(const Combining& combining, Where where) {
        combining_ = combining;
        where_ = where;
    }
    bool prepare(Backend& device) override;
    bool run(std::byte* to, const std::byte* from) const override;

private:
    /// Of each element its place in the array, and where its list begins; behind the last one, the
    /// end. Then the lists: places in the buffer.
    std::vector<Index> places_;
    Index elements_ = 0;
    std::size_t size_;
    Combining combining_;
    Where where_;
    Backend* device_ = nullptr;
    std::unique_ptr<DeviceBuffer> onDevice_;
};

}  // namespace hpspmd::detail
