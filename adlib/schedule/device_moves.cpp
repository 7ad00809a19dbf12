// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/device_moves.hpp"

#include <hpspmd/device/error.hpp>

#include "device/backend.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace hpspmd::detail {
namespace {

constexpr std::size_t to = 0, from = 1;  // places of a copy

/// Those of the innermost of two runs lie side by side, if any do.
MovedPlane movedPlane(const plan::Plane<2>& plane) {
    const auto step = [&](std::size_t run, std::size_t place) { return plane.steps[run][place]; };
    const bool turns = std::abs(step(0, to)) < std::abs(step(1, to)) && plane.counts[0] > 1;
    const std::size_t outer = turns ? 1 : 0, inner = 1 - outer;
    return {{plane.counts[outer], plane.counts[inner]},
            {step(outer, to), step(inner, to)},
            {step(outer, from), step(inner, from)}};
}

}  // namespace

DeviceBuffer::DeviceBuffer(Backend& device, std::size_t bytes)
    : device_(device), bytes_(bytes), memory_(bytes > 0 ? device.allocate(bytes, 0) : nullptr) {}

DeviceBuffer::~DeviceBuffer() {
    if (memory_ != nullptr) device_.release(memory_, bytes_);
}

DeviceMoves::DeviceMoves(std::vector<plan::Copy> copies, std::size_t elementSize)
    : copies_(std::move(copies)), size_(elementSize) {
    for (const plan::Copy& each : copies_) {
        count_ += each.count();
        plan::forEachPlane(each, [&](const plan::Plane<2>&) { ++planes_; });
    }
}

std::vector<Index> DeviceMoves::places() const {
    std::vector<Index> all;
    all.reserve(2 * static_cast<std::size_t>(count_));
    for (const plan::Copy& each : copies_)
        plan::forEachRow(each, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t)
                for (const std::size_t place : {to, from})
                    all.push_back(start[place] + t * step[place]);
        });
    return all;
}

bool DeviceMoves::prepare(Backend& device) {
    device_ = &device;
    if (isEmpty()) return true;
    if (!prepareMoves(device, size_, isListed() ? Moves::Lists : Moves::Planes).empty())
        return false;
    if (!isListed() || (list_ != nullptr && &list_->device() == &device)) return true;
    const std::vector<Index> all = places();
    const std::size_t bytes = all.size() * sizeof(Index);
    auto list = std::make_unique<DeviceBuffer>(device, bytes);
    if (!list->isThere() ||
        !device.copyIn(list->memory(), reinterpret_cast<const std::byte*>(all.data()), bytes))
        return false;
    list_ = std::move(list);
    return true;
}

bool DeviceMoves::run(std::byte* into, const std::byte* out) const {
    if (isEmpty()) return true;
    try {
        if (isListed()) return move(*device_, into, out, {count_, list_->memory()}, size_);
        bool isDone = true;
        const auto bytes = static_cast<Index>(size_);
        for (const plan::Copy& copy : copies_)
            plan::forEachPlane(copy, [&](const plan::Plane<2>& plane) {
                if (plane.counts[0] <= 0 || plane.counts[1] <= 0) return;
                isDone = isDone && move(*device_, into + plane.start[to] * bytes,
                                        out + plane.start[from] * bytes, movedPlane(plane), size_);
            });
        return isDone;
    } catch (const DeviceError&) {  // the caller knows the place of the call
        return false;
    }
}

}  // namespace hpspmd::detail
