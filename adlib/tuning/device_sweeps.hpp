// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace hpspmd::detail {

/// What a nest over memory, that of speedOfMemory(), takes on the devices of the active target.
struct DeviceSpeed {
    double elements = 0;  ///< per second; 0: not known
    double bytes = 0;     ///< per second, to the device and back; 0: not known
};

/// Measures for some tenths of a second, or some seconds where a sweep takes long. The host runs
/// the nest where no device can; TargetUnavailable for a strict target.
DeviceSpeed speedOfDevice();

}  // namespace hpspmd::detail
