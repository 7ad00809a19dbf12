// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <exception>
#include <hpspmd/device/registration.hpp>
#include <hpspmd>

#include "speeds/probe.hpp"
#include "target/rules.hpp"
#include "tuning/device_sweeps.hpp"

namespace hpspmd::speeds {

void measureDevice(devices::Device& device) {
    const std::optional<Target> target = detail::targetNamed(device.name).target;
    if (!target || !device.problem.empty()) return;
    try {
        const detail::On where(target->strict());
        const detail::DeviceSpeed found = detail::speedOfDevice();
        if (found.elements > 0) device.speed = found.elements;
        if (found.bytes > 0) device.bandwidth = found.bytes;
    } catch (const std::exception& reason) {
        device.problem = reason.what();
    }
}

}  // namespace hpspmd::speeds
