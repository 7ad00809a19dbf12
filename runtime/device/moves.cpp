// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/backend.hpp"
#include "device/plane.hpp"

namespace hpspmd::detail {
namespace {

kernels::Run runOf(Index count) { return {0, count - 1, 0, 0, count - 1}; }

}  // namespace

std::string prepareMoves(Backend& device, std::size_t elementSize, Moves moves) {
    return device.prepare(moveKernel(elementSize, moves), Strides::Wide);
}

bool move(Backend& device, std::byte* to, const std::byte* from, const MovedPlane& plane,
          std::size_t elementSize) {
    kernels::Run rows = runOf(plane.counts[0]), columns = runOf(plane.counts[1]);
    auto words = static_cast<Index>(elementSize / wordSizeOf(elementSize));
    MovedPlane steps = plane;
    void* arguments[] = {&rows,
                         &columns,
                         static_cast<void*>(&to),
                         static_cast<void*>(&from),
                         &steps.toSteps[0],
                         &steps.toSteps[1],
                         &steps.fromSteps[0],
                         &steps.fromSteps[1],
                         &words};
    return device.launch(moveKernel(elementSize, Moves::Planes), Strides::Wide, arguments, nullptr);
}

bool move(Backend& device, std::byte* to, const std::byte* from, const MovedList& list,
          std::size_t elementSize) {
    kernels::Run elements = runOf(list.count);
    auto words = static_cast<Index>(elementSize / wordSizeOf(elementSize));
    const std::byte* places = list.places;
    void* arguments[] = {&elements, static_cast<void*>(&to), static_cast<void*>(&from),
                         static_cast<void*>(&places), &words};
    return device.launch(moveKernel(elementSize, Moves::Lists), Strides::Wide, arguments, nullptr);
}

}  // namespace hpspmd::detail
