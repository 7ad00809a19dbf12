// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Nests that several devices and the host share, or that one device runs in pieces, one after the
/// other, because there is no room for all rows of their arrays.

#include "device/backend.hpp"

#include <hpspmd/device/nest_run.hpp>

#include <optional>
#include <string>

namespace hpspmd::detail {

class Mirror;

/// What is known of a nest when it asks.
struct DividedNest {
    const KernelText& kernel;
    const Site& site;
    Strides strides;
    const Taken *begin, *end;
    const OutermostLoop* outermost;
};

/// Where the target means all devices of the process. Nothing: it is not shared.
std::optional<Division> shareAmongDevices(const DividedNest& nest);

/// The least number of pieces for which there is room; none: also a row of each array has none.
/// `reason` is why the device cannot have all of it, for the log.
Division takeInTurn(Backend& device, const DividedNest& nest, const std::string& reason);

/// Of a storage that a nest wants to take: null if it has none and stays at home.
Mirror* mirrorOf(Storage* storage, Where nest);
/// The device of a target of one kind, as the `time`-th one if it is named several times. Null if
/// it is none.
Backend* backendOf(const Target& target, int time = 0);
/// For the launches that follow in this thread.
void chooseDevice(Backend& device);

}  // namespace hpspmd::detail
